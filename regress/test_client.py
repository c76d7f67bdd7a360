#!/usr/bin/env python3
"""Attached clients in bad company: signals, readers that stall or crawl, storms of sizes, themselves, half frames."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from harness import SLOW, alive, contains, equal, main, wait_for


def start(t, *command, cols=80, rows=24, **kw):
    a = t.amux(**kw)
    a.ok("new-session", "-d", "-s", "main", "-x", str(cols), "-y", str(rows), *(command or ("bash", "--norc")))
    return a


def script(a, name, text):
    path = os.path.join(a.dir, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as f:
        s = f.read().rsplit(")", 1)[1].split()
    return (int(s[11]) + int(s[12])) / os.sysconf("SC_CLK_TCK")


# --- the way out

MODES = (("1049", "alternate screen"), ("1000", "mouse"), ("1002", "mouse"), ("1003", "mouse"), ("1006", "mouse form"), ("2004", "pastes"),
         ("1004", "focus"), ("1", "cursor keys"), ("2026", "held output"))


def check_left(out, way):
    """Every mode that was put on was put off after that, and nothing is drawn behind."""
    for mode, what in MODES:
        on, off = f"\x1b[?{mode}h".encode(), f"\x1b[?{mode}l".encode()
        assert on not in out or out.rfind(off) > out.rfind(on), f"{way}: {what} ({mode}) is left on"
    shows, hides = out.rfind(b"\x1b[?25h"), out.rfind(b"\x1b[?25l")
    shows = max(shows, out.rfind(b"\x1b[?12;25h"), out.rfind(b"\x1b[?12l\x1b[?25h"), out.rfind(b"\x1b[34h\x1b[?25h"))
    assert shows > hides, f"{way}: the cursor is hidden"
    if re.search(rb"\x1b\[[1-6] q", out):
        assert re.search(rb"\x1b\[0? q(?!.*\x1b\[[1-6] q)", out, re.S), f"{way}: the cursor's shape is left"
    if b"\x1b[>4;" in out:
        assert re.search(rb"\x1b\[>4(;0)?m(?!.*\x1b\[>4;[12]m)", out, re.S), f"{way}: the keys' long form is left on"


def test_signals_and_errors_leave_the_terminal_as_it_was(t):
    prints = r"printf '\033[?1003h\033[?1006h\033[?2004h\033[?25l\033[4 q\033[?1004h\033[?1h\033=\033[31;44mREADY'; cat"
    for way, number in (("SIGINT", signal.SIGINT), ("SIGQUIT", signal.SIGQUIT), ("SIGABRT", signal.SIGABRT), ("SIGPIPE", signal.SIGPIPE),
                        ("SIGUSR1", signal.SIGUSR1), ("SIGALRM", signal.SIGALRM)):
        a = start(t, prints)
        c = a.attach()
        c.wait("READY")
        c.settle(0.2)
        c.signal(number)
        if number == signal.SIGPIPE:  # means nothing to it
            c.send("goes on\r")
            c.wait("goes on")
            c.send("\x02d")
        c.exit()
        check_left(c.raw(), way)
        assert c.termios_same(), f"{way}: line settings"
        if number == signal.SIGINT:
            contains(c.text(), "[terminated]")


def test_a_lost_terminal_ends_the_client_and_not_the_session(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    pid = c.pid()
    c.close()  # the terminal's window is closed
    wait_for(lambda: not alive(pid), 5, "the client went")
    wait_for(lambda: a.show("#{session_attached}") == "0", 5, "nobody is attached")


# --- slow readers

def test_a_terminal_that_is_not_read_delays_nobody_and_catches_up_without_a_replay(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("while :; do echo 0123456789 $((n++)); done\r")
    c.wait("0123456789 1")
    c.hold()
    d = a.attach()
    d.wait("0123456789")
    worst = 0
    for _ in range(30):
        began = time.monotonic()
        a.ok("ls")
        worst = max(worst, time.monotonic() - began)
    assert worst < 1 * SLOW, f"ls took {worst:.2f} s"
    d.send("\x03")
    d.send("clear; echo NEW''EST\r")
    d.wait("NEWEST")
    c.changed(1)
    before = c.count()
    c.go()
    c.wait("NEWEST")
    assert c.count() - before < 200000, f"{c.count() - before} bytes were waiting"


class Crawler:
    """An attached client whose terminal takes only so many bytes a second, and answers what it is asked when it reads it."""

    def __init__(self, t, a, rate, cols=80, rows=24):
        self.rate, self.text, self.total = rate, b"", 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(a.home)
            os.execve(a.argv()[0], a.argv("attach-session"), a.env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        t.cleanups.append(self.close)

    def until(self, what, limit):
        """Reads at that rate until the bytes appear; the seconds it took."""
        began = time.monotonic()
        budget, last = 0.0, began
        while what not in self.text:
            now = time.monotonic()
            if now - began > limit * SLOW:
                raise AssertionError(f"{what!r} was not drawn in {limit * SLOW:.0f} s; {self.total} bytes came, the last {self.text[-300:]!r}")
            budget = min(budget + (now - last) * self.rate, self.rate / 10)
            last = now
            if budget < 64 or not select.select([self.fd], [], [], 0.02)[0]:
                time.sleep(0.005)
                continue
            got = os.read(self.fd, int(budget))
            budget -= len(got)
            self.total += len(got)
            for ask, answer in ((b"\x1b[5n", b"\x1b[0n"), (b"\x1b[c", b"\x1b[?62;22c")):
                for _ in range((self.text[-8:] + got).count(ask) - self.text[-8:].count(ask)):
                    os.write(self.fd, answer)
            self.text = (self.text + got)[-100000:]
        return time.monotonic() - began

    def send(self, data):
        self.text = b""
        os.write(self.fd, data)

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def test_ctrl_c_in_a_flood_over_a_slow_link_shows_the_prompt_soon(t):
    a = start(t)
    c = Crawler(t, a, 20000)
    c.until(b"$", 10)
    c.send(b"n=0; while :; do echo $((n++)) 0123456789; done\r")
    began = time.monotonic()
    while time.monotonic() - began < 3:  # the flood is under way for a while
        try:
            c.until(b"never shown", 0.5 / SLOW)
        except AssertionError:
            pass
    c.send(b"\x03echo DO''NE\r")
    took = c.until(b"DONE", 10)
    assert took < 2 * SLOW, f"{took:.1f} s"


def test_a_million_lines_end_with_the_right_last_rows(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("seq 1 1000000; echo E''ND\r")
    rows = c.wait("END", 30)
    at = next(n for n, r in enumerate(rows) if r == "END")
    equal(rows[:at], [str(1000000 - at + 1 + n) for n in range(at)])
    assert c.count() < 3000000, f"{c.count()} bytes for a flood"


# --- sizes

COUNTER = """
import os, signal, sys, time
n = 0
def winch(*_):
    global n
    n += 1
    s = os.get_terminal_size(1)
    os.write(1, b"\\r\\n%d %dx%d." % (n, s.columns, s.lines))
signal.signal(signal.SIGWINCH, winch)
os.write(1, b"READY")
while True:
    signal.pause()
"""


def test_a_storm_of_sizes_reaches_a_program_few_times_and_ends_with_the_last(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main", "-x", "80", "-y", "24", "python3", script(a, "count.py", COUNTER))
    c = a.attach()
    c.wait("READY")
    for n in range(300):
        c.resize(60 + n % 50, 20 + n % 20)
    c.resize(101, 33)
    rows = c.wait(" 101x32.")
    c.settle()
    seen = [r for r in c.screen() if "x" in r]
    assert seen[-1].endswith("101x32."), seen
    count = int(seen[-1].split()[0])
    assert count < 150, f"{count} changes of size for 301"


def test_detached_in_a_storm_of_sizes_the_next_client_has_its_own(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    a.ok("split-window", "-d", "-h", "-t", "main", "cat")
    for n in range(100):
        c.resize(50 + n, 15 + n % 20)
    c.send("\x02d")
    equal(c.exit(), 0)
    d = a.attach(cols=90, rows=30)
    a.wait_show("#{window_width}x#{window_height}", "90x29", "main:")
    a.ok("kill-pane", "-t", "main:0.1")
    d.send("clear; stty size\r")
    d.wait("29 90")


# --- itself

def test_a_session_shown_inside_itself_comes_to_rest(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    server = a.pid()
    c.send("env -u AMUX " + " ".join(a.argv("attach-session", "-t", "main")) + "; echo ''back\r")
    wait_for(lambda: a.show("#{session_attached}") == "2" or "back" in c.text(), 10, "attached twice or refused")
    before = cpu_seconds(server)
    time.sleep(2)  # the thing under test: what it costs when nothing happens
    spent = cpu_seconds(server) - before
    assert spent < 0.2 * SLOW, f"{spent / 2 * 100:.0f} % of a CPU"
    a.ok("ls")


# --- the environment of the newest client

def test_new_windows_see_the_newest_clients_variables(t):
    a = start(t)
    pane = a.show("#{pane_pid}")
    with open(f"/proc/{pane}/environ", "rb") as f:
        before = f.read()
    for value in ("/a", "/b", None):
        c = a.attach(env={"DISPLAY": value})
        c.wait("[main]")
        code, out, _ = a.run("show-environment", "-t", "main", "DISPLAY")
        equal(out.strip(), f"DISPLAY={value}" if value else "-DISPLAY")
        a.ok("new-window", "-t", "main:9", "echo now=${DISPLAY-unset}; cat")
        a.wait_capture(f"now={value or 'unset'}", "main:9")
        a.ok("kill-window", "-t", "main:9")
        c.send("\x02d")
        equal(c.exit(), 0)
    with open(f"/proc/{pane}/environ", "rb") as f:
        equal(f.read(), before)


# --- farewells

def test_the_farewell_and_the_code_are_the_same_each_time(t):
    a = start(t)
    for _ in range(8):
        c = a.attach("new-session", "-s", "short", "sh -c 'exit 7'")
        equal(c.exit(), 0)
        contains(c.text(), "[exited]")
        equal(a.fails("attach-session", "-t", "short"), "can't find session: short")
        code, out, err = a.run("attach-session", "-t", "main")
        equal((code, out, err), (1, "", "open terminal failed: not a terminal\n"))
    for _ in range(8):
        c = a.attach()
        c.wait("[main]")
        contains(a.ok("ls"), "(attached)")
        c.send("\x02d")
        equal(c.exit(), 0)
        assert "(attached)" not in a.ok("ls")


# --- half frames

HELD = """
import os, sys, time
n = 0
while True:
    n += 1
    frame = b"\\x1b[?2026h\\x1b[H\\x1b[2J" + b"\\r\\n".join(b"%c" % (97 + n % 26) * 79 for _ in range(23)) + b"\\x1b[?2026l"
    for i in range(0, len(frame), 400):
        os.write(1, frame[i:i + 400])
"""


def test_a_screen_that_a_program_holds_while_it_draws_is_never_shown_half(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main", "python3", script(a, "held.py", HELD))
    c = a.attach()
    c.wait(lambda rows: all(len(r) == 79 for r in rows[:23]))
    for _ in range(100):
        rows = c.screen()[:23]
        assert all(len(r) == 79 for r in rows), "\n".join(rows)
        c.changed(20)
    for _ in range(20):
        rows = a.capture("main").splitlines()
        equal(len(set(rows)), 1, "one letter in a capture")


def test_a_program_that_never_ends_its_frame_is_shown_all_the_same(t):
    a = start(t, "printf 'one\\033[?2026htwo'; read x; printf '\\033[?2026l\\033[?2026hthree'; read x; printf '\\033[?2026hfour'; exit")
    c = a.attach()
    c.wait("onetwo", 5)
    c.send("\r")
    c.resize(81, 25)
    c.wait("three", 5)
    a.ok("set-option", "-g", "remain-on-exit", "on")
    c.send("\r")
    c.wait("four", 5)


if __name__ == "__main__":
    main()
