"""What the end-to-end tests share: a private server, a terminal, waiting for conditions with a limit, and a runner.

A test is a function named test_...; its name says the behaviour it pins down. main() at the end of each file runs them,
each with a directory and servers of its own, and fails a test that left a process behind."""
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

TOP = os.environ.get("AMUX_TOP", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("AMUX_BUILD", TOP)
AMUX = os.environ.get("AMUX_BINARY", os.path.join(BUILD, "amux"))
TERM = os.environ.get("AMUX_TERM_HELPER", os.path.join(BUILD, "regress", "term"))
# Sanitized builds and loaded machines are slower: every limit is multiplied by this.
SLOW = float(os.environ.get("AMUX_TEST_SLOW", "1"))


class Skip(Exception):
    """The test cannot run here, and why."""


def is_sanitized():
    """Whether the binary under test has the address sanitizer, whose allocator keeps what was freed: figures of memory say
    nothing then."""
    with open(AMUX, "rb") as f:
        return b"__asan_init" in f.read()


def wait_for(condition, limit=10.0, what="condition"):
    """Until condition() gives something true; its value. For conditions that no descriptor announces."""
    end = time.monotonic() + limit * SLOW
    delay = 0.002
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {limit * SLOW:.0f} s")
        time.sleep(delay)
        delay = min(delay * 1.5, 0.05)


def equal(got, want, what=""):
    if got != want:
        raise AssertionError(f"{what or 'value'}:\n  got  {got!r}\n  want {want!r}")


def contains(text, part, what=""):
    if part not in text:
        raise AssertionError(f"{what or 'text'} lacks {part!r}:\n{text}")


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as f:
        return f.read().rsplit(")", 1)[1].split()[0] != "Z"


class Terminal:
    """A command in a PTY of known size, with its screen (regress/term.c)."""

    def __init__(self, argv, cols=80, rows=24, env=None, cwd=None):
        self.cols, self.rows = cols, rows
        self.proc = subprocess.Popen([TERM, str(cols), str(rows)] + argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     env=env, cwd=cwd)

    def _ask(self, request):
        self.proc.stdin.write(request.encode() + b"\n")
        self.proc.stdin.flush()
        line = self.proc.stdout.readline()
        if not line:
            raise AssertionError(f"the test's terminal died at {request[:60]!r}")
        return line.decode(errors="replace").rstrip("\n")

    def send(self, data):
        if isinstance(data, str):
            data = data.encode()
        for i in range(0, len(data), 50000):
            equal(self._ask("send " + data[i:i + 50000].hex()), "ok", "send")

    def changed(self, ms):
        return self._ask(f"changed {int(ms)}") == "yes"

    def screen(self):
        """Rows without trailing blanks; self.cursor is (x, y, visible)."""
        line, out = self._ask("screen"), []
        while not line.startswith("cursor ") or len(out) < self.rows:
            out.append(line.rstrip())
            line = self.proc.stdout.readline().decode(errors="replace").rstrip("\n")
        x, y, v = line.split()[1:]
        self.cursor = (int(x), int(y), v == "1")
        return out

    def text(self):
        return "\n".join(self.screen())

    def cells(self, y):
        """(text, width, fg, bg, flags) of each cell of a row."""
        line, out = self._ask(f"cells {y}"), []
        while line != "end":
            m = re.fullmatch(r"=(.*) (-?\d+) (\S+) (\S+) (\S*)\.", line, re.S)
            out.append((m.group(1), int(m.group(2)), m.group(3), m.group(4), m.group(5)))
            line = self.proc.stdout.readline().decode(errors="replace").rstrip("\n")
        return out

    def wait(self, what, limit=10.0):
        """Until the screen holds `what` (a text, a compiled pattern, or a function of the rows). Returns the rows."""
        end = time.monotonic() + limit * SLOW
        while True:
            rows = self.screen()
            if callable(what):
                ok = what(rows)
            elif isinstance(what, str):
                ok = what in "\n".join(rows)
            else:
                ok = what.search("\n".join(rows))
            if ok:
                return rows
            left = end - time.monotonic()
            if left <= 0:
                shown = "\n".join(rows)
                raise AssertionError(f"not on the screen within {limit * SLOW:.0f} s: {what!r}\n--- screen\n{shown}\n---")
            self.changed(min(left, 1.0) * 1000)

    def wait_gone(self, what, limit=10.0):
        return self.wait(lambda rows: what not in "\n".join(rows), limit)

    def settle(self, quiet=0.3, limit=10.0):
        """Until nothing arrived for `quiet` seconds: for tests that want to see that nothing more comes."""
        end = time.monotonic() + limit * SLOW
        while self.changed(quiet * 1000):
            if time.monotonic() > end:
                raise AssertionError("the screen never settles")

    def state(self):
        alt, mouse, shape, *title = self._ask("state").split()[1:] + [""]
        return {"alternate": alt == "1", "mouse": int(mouse), "shape": int(shape), "title": bytes.fromhex(title[0]).decode()}

    def raw(self):
        return bytes.fromhex((self._ask("raw").split() + [""])[1])

    def count(self):
        return int(self._ask("count").split()[1])

    def resize(self, cols, rows):
        self.cols, self.rows = cols, rows
        equal(self._ask(f"resize {cols} {rows}"), "ok")

    def signal(self, number):
        equal(self._ask(f"signal {int(number)}"), "ok")

    def exit(self, limit=10.0):
        """Its exit code (negative: the signal)."""
        word = self._ask(f"exit {int(limit * SLOW * 1000)}").split()
        if word[0] == "running":
            raise AssertionError(f"it still runs after {limit * SLOW:.0f} s; screen:\n{self.text()}")
        return int(word[1]) if word[0] == "exited" else -int(word[1])

    def termios_same(self):
        return self._ask("termios") == "same"

    def hold(self):
        self._ask("hold")

    def go(self):
        self._ask("go")

    def answers(self, how):
        """How the terminal answers queries from now on: "on", "off", "late MS", "twice" or "wrong"."""
        equal(self._ask(f"answers {how}"), "ok")

    def pid(self):
        return int(self._ask("pid").split()[1])

    def close(self):
        if self.proc.poll() is None:
            self.proc.stdin.close()
            try:
                self.proc.wait(10)
            except subprocess.TimeoutExpired:
                self.proc.kill()
                self.proc.wait()


class Amux:
    """A server of its own: socket directory, home, state, config. Commands run with run() or ok()."""

    def __init__(self, test, label="test", config=""):
        self.dir = tempfile.mkdtemp(prefix="amux-regress-")
        self.label = label
        self.terminals = []
        self.home = os.path.join(self.dir, "home")
        os.mkdir(self.home)
        self.config = os.path.join(self.dir, "amux.conf")
        with open(self.config, "w") as f:
            f.write(config)
        with open(os.path.join(self.home, ".bashrc"), "w") as f:
            f.write("PS1='$ '\nunset PROMPT_COMMAND\n")
        with open(os.path.join(self.home, ".bash_profile"), "w") as f:
            f.write(". ~/.bashrc\n")
        keep = ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "AMUX_DEBUG_JOBS", "LD_LIBRARY_PATH")
        self.env = {k: os.environ[k] for k in keep if k in os.environ}
        self.env.update(HOME=self.home, SHELL="/bin/bash", LC_ALL="C.UTF-8", TERM="xterm-256color", USER="tester",
                        AMUX_TMPDIR=self.dir, XDG_STATE_HOME=os.path.join(self.dir, "state"),
                        XDG_CONFIG_HOME=os.path.join(self.dir, "config"), TZ="UTC", PS1="$ ",
                        REGRESS_MARK=os.path.basename(self.dir), BASH_SILENCE_DEPRECATION_WARNING="1")
        test.cleanups.append(self.close)

    def argv(self, *args):
        return [AMUX, "-L", self.label, "-f", self.config] + list(args)

    def run(self, *args, env=None, stdin=None, limit=20.0, cwd=None):
        """A command as a whole process: (exit code, stdout, stderr)."""
        e = {**self.env, **(env or {})}
        r = subprocess.run(self.argv(*args), env={k: v for k, v in e.items() if v is not None}, cwd=cwd or self.home,
                           stdin=subprocess.DEVNULL if stdin is None else None, input=stdin, capture_output=True,
                           timeout=limit * SLOW)
        return r.returncode, r.stdout.decode(errors="surrogateescape"), r.stderr.decode(errors="surrogateescape")

    def ok(self, *args, **kw):
        """stdout of a command that must succeed and say nothing on stderr."""
        code, out, err = self.run(*args, **kw)
        if code != 0 or err:
            raise AssertionError(f"amux {' '.join(args)}: exit {code}\n{out}{err}")
        return out

    def fails(self, *args, **kw):
        """stderr of a command that must exit with 1 and print nothing on stdout."""
        code, out, err = self.run(*args, **kw)
        if code != 1 or out or not err:
            raise AssertionError(f"amux {' '.join(args)}: exit {code}, expected 1 and a message\n{out}{err}")
        return err.rstrip("\n")

    def show(self, fmt, target=None):
        return self.ok("display-message", "-p", *(["-t", target] if target else []), fmt).rstrip("\n")

    def wait_show(self, fmt, want, target=None, limit=10.0):
        return wait_for(lambda: self.show(fmt, target) == want, limit, f"{fmt} is {want!r}, was {self.show(fmt, target)!r}")

    def capture(self, target=None, *flags):
        return self.ok("capture-pane", "-p", *flags, *(["-t", target] if target else []))

    def wait_capture(self, text, target=None, limit=10.0):
        return wait_for(lambda: text in self.capture(target) and self.capture(target), limit, f"{text!r} in the pane")

    def attach(self, *args, cols=80, rows=24, term="xterm-256color", env=None):
        """A client in a terminal: `amux attach-session` unless other words are given."""
        e = {**self.env, "TERM": term, **(env or {})}
        t = Terminal(self.argv(*(args or ("attach-session",))), cols, rows, {k: v for k, v in e.items() if v is not None},
                     self.home)
        self.terminals.append(t)
        return t

    def pid(self):
        return int(self.show("#{pid}"))

    def processes(self):
        """Processes that carry this server's mark in their environment, or its directory in their title (the server's
        title lies where its environment was)."""
        found = []
        mark = f"REGRESS_MARK={os.path.basename(self.dir)}".encode()
        for p in os.listdir("/proc"):
            if not p.isdigit() or int(p) == os.getpid():
                continue
            try:
                with open(f"/proc/{p}/environ", "rb") as f, open(f"/proc/{p}/cmdline", "rb") as g:
                    is_ours = mark in f.read().split(b"\0") or g.read().startswith(b"amux: server (" + self.dir.encode())
                if is_ours and alive(int(p)):
                    found.append(int(p))
            except OSError:
                continue
        return found

    def close(self):
        problems = []
        for t in self.terminals:
            t.close()
        if self.env.get("AMUX_DEBUG_JOBS") == "1":
            code, out, _ = self.run("show-jobs", "-J")
            if code == 0 and json.loads(out)["loop"]["stuck"]:
                problems.append(f"a job nobody asked again: {json.loads(out)['loop']['stuck_whose']}")
        try:
            self.run("kill-server", limit=10)
        except subprocess.TimeoutExpired:
            problems.append("kill-server never returned")
        try:
            wait_for(lambda: not self.processes(), 8, "processes gone")
        except AssertionError:
            for pid in self.processes():
                try:
                    with open(f"/proc/{pid}/cmdline") as f:
                        problems.append(f"left behind: {pid} {f.read().replace(chr(0), ' ')}")
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
        subprocess.run(["chmod", "-R", "u+rwX", self.dir], check=False)
        shutil.rmtree(self.dir, ignore_errors=True)
        if problems:
            raise AssertionError("\n".join(problems))


class Test:
    def __init__(self):
        self.cleanups = []

    def amux(self, **kw):
        return Amux(self, **kw)


def main():
    """Runs the calling file's tests, or those whose names contain an argument."""
    module = sys.modules["__main__"]
    tests = [(n, f) for n, f in vars(module).items() if n.startswith("test_") and inspect.isfunction(f)]
    wanted = sys.argv[1:]
    passed = failed = skipped = 0
    for name, fn in tests:
        if wanted and not any(w in name for w in wanted):
            continue
        t, started = Test(), time.monotonic()
        words = name[5:].replace("_", " ")
        try:
            try:
                fn(t)
            finally:
                for c in reversed(t.cleanups):
                    c()
        except Skip as e:
            skipped += 1
            print(f"skip  {words}: {e}", flush=True)
        except Exception:
            failed += 1
            print(f"FAIL  {words}\n{traceback.format_exc()}", flush=True)
        else:
            passed += 1
            print(f"ok    {words} ({time.monotonic() - started:.1f} s)", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)
