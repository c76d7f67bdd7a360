#!/usr/bin/env python3
"""bench.py [NAME...]: figures of amux beside tmux in one run, a line a figure. Rounds of the two alternate, so that a
drift of the machine hits both; ratios are medians of the pairs. Names: process, keys, flood, idle, turn, memory."""
import fcntl
import json
import os
import pty
import random
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

TOP = os.environ.get("AMUX_TOP", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
AMUX = os.environ.get("AMUX_BINARY", os.path.join(os.environ.get("AMUX_BUILD", TOP), "amux"))
TMUX = shutil.which("tmux")


class Mux:
    """One of the two, with a directory of its own."""

    def __init__(self, kind):
        self.kind = kind
        self.dir = tempfile.mkdtemp(prefix=f"bench-{kind}-")
        self.env = {"PATH": os.environ["PATH"], "HOME": self.dir, "SHELL": "/bin/sh", "LC_ALL": "C.UTF-8", "PS1": "$ ",
                    "TERM": "xterm-256color", "AMUX_TMPDIR": self.dir, "XDG_STATE_HOME": self.dir + "/state"}
        self.base = ([AMUX, "-L", "b"] if kind == "amux" else [TMUX, "-S", self.dir + "/s"]) + ["-f", "/dev/null"]

    def cmd(self, *args, check=True):
        return subprocess.run(self.base + list(args), env=self.env, capture_output=True, text=True, check=check,
                              timeout=60).stdout

    def pid(self):
        return int(self.cmd("display-message", "-p", "#{pid}"))

    def close(self):
        self.cmd("kill-server", check=False)
        shutil.rmtree(self.dir, ignore_errors=True)


class Screen:
    """A client in a PTY; the bytes it writes are read and looked through, not drawn."""

    def __init__(self, mux, cols=200, rows=50):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(mux.base[0], mux.base + ["attach-session"], mux.env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        os.set_blocking(self.fd, False)
        self.total = 0

    def pump(self, timeout):
        if not select.select([self.fd], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return b""
        self.total += len(data)
        answer = b"\x1b[0n" * data.count(b"\x1b[5n")
        if b"\x1b[c" in data:
            answer += b"\x1b[?62;22c"
        if answer:
            os.write(self.fd, answer)
        return data

    def quiet(self, seconds, limit=10):
        end = time.time() + limit
        while self.pump(seconds) and time.time() < end:
            pass

    def close(self):
        os.close(self.fd)
        end = time.time() + 2
        while time.time() < end:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return
            time.sleep(0.01)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def pair():
    return [Mux("amux")] + ([Mux("tmux")] if TMUX else [])


def version():
    return subprocess.run([TMUX, "-V"], capture_output=True, text=True).stdout.strip() if TMUX else "no tmux"


def line(name, values, unit, digits=2):
    """values: {kind: list}"""
    med = {k: statistics.median(v) for k, v in values.items()}
    text = ", ".join(f"{k} {m:.{digits}f} {unit}" for k, m in med.items())
    if len(med) == 2:
        text += f", ratio {statistics.median([x / y for x, y in zip(values['amux'], values['tmux']) if y]):.2f}"
    print(f"{name}: {text}", flush=True)


def timed(argv, env):
    start = time.perf_counter()
    subprocess.run(argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1e3


def bench_process():
    muxes, ls, cycle = pair(), {}, {}
    for m in muxes:
        m.cmd("new-session", "-d", "-s", "m")
    for _ in range(60):
        for m in muxes:
            ls.setdefault(m.kind, []).append(timed(m.base + ["ls"], m.env))
    for m in muxes:
        m.cmd("kill-server", check=False)
    for _ in range(25):
        for m in muxes:
            t = timed(m.base + ["new-session", "-d", "-s", "m"], m.env)
            cycle.setdefault(m.kind, []).append(t + timed(m.base + ["kill-server"], m.env))
    line("ls, whole process", ls, "ms")
    line("new-session -d and kill-server, whole processes", cycle, "ms")
    for m in muxes:
        m.close()


def bench_keys(n=1000):
    """From a key to its echo on the screen, `cat` in the pane's PTY echoing; blocks of the two alternate."""
    muxes, screens = pair(), {}
    for m in muxes:
        m.cmd("new-session", "-d", "-s", "m", "-x", "200", "-y", "50", "cat >/dev/null")
        screens[m.kind] = Screen(m)
        screens[m.kind].quiet(0.5)

    def key(s, i):
        want = chr(0xc0 + i % 60).encode()
        while s.pump(0):
            pass
        start, seen = time.perf_counter(), b""
        os.write(s.fd, want)
        while time.perf_counter() - start < 2:
            seen = seen[-4:] + s.pump(0.5)
            if want in seen:
                break
        return (time.perf_counter() - start) * 1e3

    def run(label, count, before=None, after=None):
        got, i = {m.kind: [] for m in muxes}, 0
        while len(got["amux"]) < count:
            for m in muxes:
                if before:
                    before(m)
                for _ in range(50):
                    i += 1
                    got[m.kind].append(key(screens[m.kind], i))
                    end = time.perf_counter() + 0.004 + 0.002 * (i % 7)
                    while time.perf_counter() < end:
                        screens[m.kind].pump(0.002)
                if after:
                    after(m)
        for p in (50, 95):
            print(f"{label} p{p}: " + ", ".join(
                f"{k} {sorted(v)[int(len(v) * p / 100)]:.3f} ms" for k, v in got.items()), flush=True)
    run("key to screen, idle", n)

    def flood(m):
        m.cmd("split-window", "-d", "-h", "-t", "m:0.0", "yes 'the quick brown fox jumps over the lazy dog 0123456789'")
        end = time.time() + 0.5
        while time.time() < end:
            screens[m.kind].pump(0.01)
    run("key to screen beside a flood", n, flood, lambda m: m.cmd("kill-pane", "-t", "m:0.1"))
    for m in muxes:
        screens[m.kind].close()
        m.close()


def corpora(folder):
    r = random.Random(7)
    words = "alpha beta gamma config make error: static const return while struct".split()

    def text(n):
        return " ".join(r.choice(words) for _ in range(n))

    def colour():
        return f"\x1b[{r.choice([0, 1, 4])};38;5;{r.randint(0, 255)}m{r.choice(words)}\x1b[0m "

    def cjk():
        return chr(0x4e00 + r.randint(0, 500)) if r.random() < .5 else r.choice("éüñabc ")

    def true_colour():
        return f"\x1b[38;2;{r.randint(0, 255)};{r.randint(0, 255)};{r.randint(0, 255)}m{text(3)[:18]:18}"
    files = {
        "ascii": "".join(text(r.randint(4, 20)) + "\n" for _ in range(60000)),
        "colour": "".join("".join(colour() for _ in range(12)) + "\n" for _ in range(20000)),
        "cjk": "".join("".join(cjk() for _ in range(60)) + "\n" for _ in range(40000)),
        "repaint": "".join("\x1b[H" + "".join(f"\x1b[{y};1H" + "".join(true_colour() for _ in range(10)) for y in range(1, 51))
                           for _ in range(200)),
    }
    for name, body in files.items():
        with open(f"{folder}/{name}", "w", newline="") as f:
            f.write(body)
    return {name: len(body.encode()) for name, body in files.items()}


def cpu_ns(pid):
    with open(f"/proc/{pid}/task/{pid}/schedstat") as f:
        return int(f.read().split()[0])


def bench_flood(rounds=5):
    """MB/s that a detached pane takes from cat, and CPU of the server a byte."""
    folder = tempfile.mkdtemp(prefix="bench-corpora-")
    sizes, muxes = corpora(folder), pair()
    for m in muxes:
        m.cmd("new-session", "-d", "-s", "m", "-x", "200", "-y", "50", "cat")
    for name, size in sizes.items():
        speed, cpu = {}, {}
        for _ in range(rounds):
            for m in muxes:
                out, pid = f"{m.dir}/done", m.pid()
                if os.path.exists(out):
                    os.unlink(out)
                before = cpu_ns(pid)
                m.cmd("new-window", "-d", "-t", "m:", f"sleep .2; a=$(date +%s%N); for i in 1 2 3; do cat {folder}/{name}; "
                      f"done; b=$(date +%s%N); echo $((b-a)) > {out}.new; mv {out}.new {out}")
                end = time.time() + 120
                while not os.path.exists(out) and time.time() < end:
                    time.sleep(0.02)
                with open(out) as f:
                    speed.setdefault(m.kind, []).append(size * 3 / 1e6 / (int(f.read()) / 1e9))
                cpu.setdefault(m.kind, []).append((cpu_ns(pid) - before) / (size * 3))
        line(f"flood detached, {name}", speed, "MB/s", 1)
        line(f"server CPU a byte, {name}", cpu, "ns", 1)
    for m in muxes:
        m.close()
    shutil.rmtree(folder)


def switches(pid):
    n = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as f:
            n += sum(int(text.split()[1]) for text in f if "ctxt_switches" in text)
    return n


def bench_idle(seconds=60):
    """Context switches with 10 panes at a prompt, one client, no clock."""
    for m in pair():
        m.cmd("new-session", "-d", "-s", "m")
        m.cmd("set-option", "-g", "status-right", "")
        for _ in range(9):
            m.cmd("new-window", "-d", "-t", "m:")
        s, pid = Screen(m), m.pid()
        s.quiet(1.0)
        end = time.time() + 5
        while time.time() < end:
            s.pump(0.5)
        a, b, bytes_before = switches(pid), switches(s.pid), s.total
        end = time.time() + seconds
        while time.time() < end:
            s.pump(1)
        print(f"context switches in {seconds} s, 10 panes, one client, no clock: {m.kind} server {switches(pid) - a}, "
              f"client {switches(s.pid) - b}, {s.total - bytes_before} bytes", flush=True)
        s.close()
        m.close()


def bench_turn(seconds=10):
    """The longest turn of the server's loop while a pane floods before a client."""
    m = Mux("amux")
    m.cmd("new-session", "-d", "-s", "m", "-x", "200", "-y", "50", "yes 'the quick brown fox jumps over the lazy dog'")
    s = Screen(m)
    end = time.time() + seconds
    while time.time() < end:
        s.pump(0.1)
    loop = json.loads(m.cmd("show-jobs", "-J"))["loop"]
    print(f"longest turn of the server in a flood of {seconds} s: {loop['longest_turn_us'] / 1e3:.2f} ms "
          f"({loop.get('longest_whose')}); {s.total / 1e6:.1f} MB to the terminal", flush=True)
    s.close()
    m.close()


def bench_memory(rows=50000):
    folder = tempfile.mkdtemp(prefix="bench-memory-")
    body = {"80 ASCII characters": "x" * 79 + "\n",
            "12 colour words": "".join(f"\x1b[38;5;{20 + i}mword{i}\x1b[0m " for i in range(12)) + "\n"}

    def private_kb(pid):
        with open(f"/proc/{pid}/smaps_rollup") as f:
            return sum(int(text.split()[1]) for text in f if text.startswith(("Private_Clean", "Private_Dirty")))
    for name, text in body.items():
        with open(f"{folder}/f", "w") as f:
            f.write(text * (rows + 60))
        got = {}
        for m in pair():
            m.cmd("new-session", "-d", "-s", "m", "-x", "200", "-y", "50", "cat")
            m.cmd("set-option", "-g", "history-limit", str(rows))
            before = private_kb(m.pid())
            m.cmd("new-window", "-d", "-t", "m:1", f"cat {folder}/f; cat")
            end = time.time() + 60
            while time.time() < end and int(m.cmd("display-message", "-p", "-t", "m:1", "#{history_size}") or 0) < rows * .98:
                time.sleep(0.2)
            time.sleep(1)
            n = int(m.cmd("display-message", "-p", "-t", "m:1", "#{history_size}"))
            got[m.kind] = [(private_kb(m.pid()) - before) * 1024 / n]
            m.close()
        line(f"server memory a history line, {name}", got, "bytes", 0)
    shutil.rmtree(folder)


if __name__ == "__main__":
    print(f"beside {version()}, {os.cpu_count()} cores", flush=True)
    for what in sys.argv[1:] or ["process", "keys", "flood", "idle", "turn", "memory"]:
        globals()["bench_" + what]()
