#!/usr/bin/env python3
"""Everything from outside is hostile: pane output, socket bytes, terminals, command lines. All live on."""
import fcntl
import os
import pty
import random
import select
import signal
import socket
import struct
import subprocess
import termios
import time

from harness import alive, AMUX, contains, equal, is_sanitized, main, SLOW, wait_for

HELLO, COMMAND, STDIN, RESIZE, KEY, MOUSE, PASTE, FOCUS, ACK, REPORT, RESUMED = range(1, 12)
WELCOME, REFUSED, ATTACH, OPTIONS, SCENE, PANE, ROW, SCROLL, STATUS = 64, 65, 68, 70, 71, 72, 73, 74, 77
FRAME_END, NOTICE, READ_STDIN = 80, 78, 85


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(value)) + value


def vector(values):
    return struct.pack("<I", len(values)) + b"".join(text(v) for v in values)


def frame(kind, body=b""):
    return struct.pack("<IH", len(body) + 2, kind) + body


def hello(cols=80, rows=24, flags=0x15, environ=()):
    return frame(HELLO, struct.pack("<II", 1, 1) + text("test") + text("/") + text("/dev/tty-of-a-test") + text("xterm") +
                 text("") + struct.pack("<IHHHH", flags, cols, rows, 0, 0) + vector(environ) + struct.pack("<I", 1))


def command(*words):
    return frame(COMMAND, vector(words))


def start(t, *words):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main", "-x", "80", "-y", "24", *(words or ("cat",)))
    a.socket = a.show("#{socket_path}")
    return a


def connect(a, data=b""):
    s = socket.socket(socket.AF_UNIX)
    s.connect(a.socket)  # waits while the server's backlog is full
    s.settimeout(10 * SLOW)
    s.sendall(data)
    return s


def messages(s, until):
    """Messages that come, until one of the given kind or the end: list of (kind, body)."""
    got, rest = [], b""
    while until not in (kind for kind, _ in got):
        data = s.recv(65536)
        if not data:
            break
        rest += data
        while len(rest) >= 6:
            length, kind = struct.unpack("<IH", rest[:6])
            if len(rest) < 4 + length:
                break
            got.append((kind, rest[6:4 + length]))
            rest = rest[4 + length:]
    return got


def lives(a, pid, within=5.0):
    """The server is the same one and answers."""
    began = time.monotonic()
    equal(a.pid(), pid, "server")
    assert time.monotonic() - began < within * SLOW, "it answers too late"


def rss_mb(pid):
    with open(f"/proc/{pid}/status") as f:
        return int(next(line for line in f if line.startswith("VmRSS")).split()[1]) // 1024


def test_messages_in_a_wrong_order_end_their_connection_only(t):
    a = start(t)
    pid = a.pid()
    refused = {
        "a key before the greeting": frame(KEY, struct.pack("<Q", 97) + text("a")),
        "garbage": b"GET / HTTP/1.1\r\n\r\n",
        "a huge length": struct.pack("<IH", 0x7FFFFFFF, 1),
        "a length of nothing": struct.pack("<IH", 0, 1) + b"\0\0",
        "a second greeting": hello() + hello(),
        "a second command": hello() + command("list-keys") + command("list-keys"),
        "the server's own message": hello() + frame(WELCOME, b""),
        "damaged fields": hello() + frame(COMMAND, struct.pack("<I", 0xFFFFFF)),
        "a key too large": hello() + frame(KEY, bytes(1000)),
    }
    for what, data in refused.items():
        kinds = [k for k, _ in messages(connect(a, data), REFUSED)]
        assert REFUSED in kinds, f"{what}: {kinds}"
    lives(a, pid)
    # Unasked, but harmless: the connection goes on to its command's end.
    data = hello() + frame(STDIN, b"\0" + text("x")) + frame(ACK, struct.pack("<III", 0xFFFFFFFF, 1, 0)) + \
        frame(MOUSE, struct.pack("<BBHHQ", 255, 255, 65535, 65535, 1 << 63)) + frame(FOCUS, b"\7") + \
        frame(REPORT, text("terminal") + text("\x1b[31m\x07")) + frame(RESIZE, struct.pack("<4H", 0, 0, 0, 0))
    s = connect(a, data + command("display-message", "-p", "hello"))
    contains(repr(messages(s, 67)), "hello")
    lives(a, pid)


def test_an_attached_client_may_send_anything(t):
    a = start(t, "stty raw -echo; cat")
    pid = a.pid()
    rng = random.Random(1)
    makers = [
        lambda: frame(KEY, struct.pack("<Q", rng.getrandbits(64)) + text(rng.randbytes(9))),
        lambda: frame(MOUSE, struct.pack("<BBHHQ", rng.randrange(14), rng.randrange(14), rng.choice((0, 5, 79, 65535)),
                                         rng.choice((0, 5, 23, 65535)), rng.getrandbits(64))),
        lambda: frame(PASTE, bytes((rng.randrange(2), rng.randrange(2))) + text(rng.randbytes(50))),
        lambda: frame(ACK, struct.pack("<III", rng.choice((0, 1, 0xFFFFFFFF)), rng.getrandbits(32), rng.getrandbits(32))),
        lambda: frame(RESIZE, struct.pack("<4H", *rng.choices((0, 1, 80, 300), k=4))),
        lambda: frame(RESUMED, struct.pack("<4H", *rng.choices((0, 1, 80), k=4))),
        lambda: frame(REPORT, text(rng.choice(("fg", "bg", "terminal"))) + text(rng.choice(("rgb:f/f/f", "rgb:/", "#12")))),
    ]
    for _ in range(10):
        data = hello(flags=5) + command("attach-session", "-t", "main")
        data += b"".join(rng.choice(makers)() for _ in range(500))
        s = connect(a)
        for at in range(0, len(data), 997):
            s.sendall(data[at:at + 997])
        s.close()
    lives(a, pid)
    wait_for(lambda: a.show("#{session_attached}", "main") == "0", what="nobody is attached")


def test_a_window_of_65535_cells_each_way_is_cut_down(t):
    a = start(t)
    pid = a.pid()
    s = connect(a, hello(65535, 65535, 5) + command("attach-session", "-t", "main"))
    messages(s, ATTACH)
    s.sendall(frame(RESIZE, struct.pack("<4H", 65535, 65535, 0, 0)))
    size = wait_for(lambda: int(a.show("#{window_width}", "main")) > 80 and a.show("#{window_width} #{window_height}", "main"))
    cols, rows = map(int, size.split())
    assert cols * rows <= 2 << 20, size
    lives(a, pid)
    s.close()
    master, slave = pty.openpty()
    for cols, rows in ((65535, 65535), (1, 1), (0, 0)):
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0))
        p = subprocess.Popen(a.argv("attach"), stdin=slave, stdout=slave, stderr=slave, env=a.env, start_new_session=True)
        wait_for(lambda: a.show("#{session_attached}", "main") == "1", 20, f"attached at {cols}x{rows}")
        a.ok("detach-client", "-s", "main")
        end = time.monotonic() + 20 * SLOW
        while p.poll() is None and time.monotonic() < end:
            if select.select([master], [], [], 0.1)[0]:
                os.read(master, 65536)
        equal(p.poll(), 0, f"at {cols}x{rows}")
    os.close(master)
    os.close(slave)


def test_many_connections_that_say_nothing_keep_nobody_out(t):
    a = start(t)
    pid = a.pid()
    idle = [connect(a, hello()[:i % 40]) for i in range(200)]
    lives(a, pid)
    for s in idle:
        s.close()
    lives(a, pid)


def test_output_that_asks_for_much_work_delays_nobody(t):
    few = r"""
import sys
o = sys.stdout.buffer
o.write(b"e" + "\u0301".encode() * 12)
for i in range(300):
    o.write(b"\x1b[65535b\x1b#8\x1b[41m\x1b[2J\x1b[99999L\x1b[99999S\x1b[?1049h\x1b#8\x1b[?1049l" * 4)
for i in range(20000):
    o.write(b"\x1b]8;;http://x/%d\x07x\x1b[38;2;1;2;%dmy" % (i, i & 255))
o.write(b"\x1b[" + b"1;" * 100000 + b"m\x1b[" + b"9" * 1000000 + b"A")
o.write(b"\x1b]0;" + b"A" * 5000000 + b"\x07\x1bPq" + b"A" * 5000000 + b"\x18" + b"\x1b_G" + b"A" * 5000000 + b"\x1b\\")
o.write("\u0301".encode() * 300000)
o.write(b"\x1bc")
o.flush()
"""
    a = start(t)
    path = os.path.join(a.dir, "flood.py")
    with open(path, "w") as f:
        f.write(few)
    pid = a.pid()
    a.ok("set-option", "-g", "remain-on-exit", "on")
    pane = a.ok("new-window", "-P", "-F", "#{pane_id}", f"stty raw -echo; python3 {path}").strip()
    sizes = [("1", "1"), ("300", "100"), ("7", "3"), ("80", "24")]
    for i in range(1000):
        began = time.monotonic()
        if a.show("#{pane_dead}", pane) == "1":
            break
        assert time.monotonic() - began < 4 * SLOW, "a command waited for the output"
        cols, rows = sizes[i % 4]
        a.ok("resize-window", "-t", pane, "-x", cols, "-y", rows)
    equal(a.show("#{pane_dead} #{pane_dead_status}", pane), "1 0")
    lives(a, pid)


def test_a_client_that_does_not_read_costs_little(t):
    flood = r"""
import sys, base64
o = sys.stdout.buffer
clip = b"\x1b]52;c;" + base64.b64encode(b"x" * 700000) + b"\x07"
for i in range(60):
    o.write(b"\x1b[6n\x1b[c" * 4000 + clip)
o.flush()
sys.stdin.buffer.read(1)
open(sys.argv[1], "w").close()
"""
    a = start(t, "cat")
    a.ok("set-option", "-s", "set-clipboard", "on")
    a.ok("set-option", "-s", "buffer-limit", "2")
    pid, before = a.pid(), rss_mb(a.pid())
    path, done = os.path.join(a.dir, "flood.py"), os.path.join(a.dir, "done")
    with open(path, "w") as f:
        f.write(flood)
    s = connect(a, hello(flags=5) + command("attach-session", "-t", "main"))
    messages(s, ATTACH)
    a.ok("new-window", "-t", "main:", f"stty raw -echo; python3 {path} {done}; cat")
    wait_for(lambda: os.path.exists(done), 60, "the flood's end")
    lives(a, pid)
    if not is_sanitized():
        assert rss_mb(pid) - before < 45, f"{before} MB before, {rss_mb(pid)} MB after"
    s.close()


def test_a_terminal_that_reads_nothing_holds_no_client_that_leaves(t):
    a = start(t, "yes 0123456789")
    for leave in (lambda p: a.ok("detach-client", "-s", "main"), lambda p: p.terminate()):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 50, 200, 0, 0))
        p = subprocess.Popen(a.argv("attach"), stdin=slave, stdout=slave, stderr=slave, env=a.env, start_new_session=True)
        wait_for(lambda: a.show("#{session_attached}", "main") == "1", what="attached")
        leave(p)
        p.wait(10 * SLOW)
        os.close(master)
        os.close(slave)


def fake_server(path, answers):
    """Answers one connection after the other with the given bytes; in a process of its own."""
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(1)
    pid = os.fork()
    if pid == 0:
        try:
            for data in answers:
                c, _ = s.accept()
                c.recv(65536)
                c.sendall(data)
                while c.recv(65536):
                    pass
        except OSError:
            pass
        os._exit(0)
    s.close()
    return pid


def test_a_client_outlives_a_hostile_server(t):
    a = t.amux()
    welcome = frame(WELCOME, struct.pack("<I", 1) + text("amux") + text("x"))
    begin = welcome + frame(ATTACH, text("s") + struct.pack("<I", 0)) + frame(OPTIONS, struct.pack("<II", 31, 10) + text("*:Tc") + text(""))
    rng = random.Random(3)
    wild = (0, 1, 23, 80, 4000, 65535)

    def scene():
        return frame(SCENE, struct.pack("<6HII", *rng.choices(wild, k=6), 0, rng.getrandbits(3)))

    def pane():
        return frame(PANE, struct.pack("<I4HI", rng.randrange(3), *rng.choices(wild, k=4), 1) + text("fg=red"))

    def row():
        body = rng.choice((rng.randbytes(40), b"\0\xff\xff\x03\0\0" + b"\x07\xe6\xa9\x8b" * 900,
                           b"\0\xff\xff\x03\xff\xff\x01" + b"\0" * 32767 + b"\1\xff\xff\x03\xff\xff\x01" + b"\x02a" * 65535))
        return frame(ROW, struct.pack("<IH", rng.randrange(3), rng.choice(wild)) + text(body))

    def scroll():
        return frame(SCROLL, struct.pack("<IHHi", rng.randrange(3), *rng.choices(wild, k=2), rng.choice((1, -1, 2**31 - 1, -2**31))))

    def lines():
        markup = ("#[", "#[fg=red", "#[align=right]" * 99, "\x01%E\x02", "\x02\x01", "\x1b[31m", "e" + "\u0301" * 300, "#[list=on]" * 50)
        words = [rng.choice(markup) for _ in range(rng.randrange(9))]
        return frame(STATUS, b"\1" + vector(words) + text("x")) + frame(NOTICE, text(rng.choice(markup)) + struct.pack("<I", 1) + text("#["))

    def body():
        end = frame(FRAME_END, struct.pack("<I", rng.getrandbits(32)))
        return b"".join(rng.choice((scene, pane, pane, row, row, scroll, lines, lambda: end))() for _ in range(60)) + end

    broken = struct.pack("<IH", 2, 1)  # a message of the client's: the connection ends with a reason
    answers = [b"HTTP/1.1 200 OK\r\n\r\n", welcome + broken, begin + broken, begin + frame(READ_STDIN, b"\0") + broken]
    answers += [begin + body() + broken for _ in range(6)]
    answers.append((begin + body())[:-3] + b"\xff" * 9)
    path = os.path.join(a.dir, "fake")
    pid = fake_server(path, answers)
    try:
        for i in range(len(answers)):
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
            p = subprocess.Popen([AMUX, "-S", path, "attach"], stdin=slave, stdout=slave, stderr=slave, env=a.env, start_new_session=True)
            end = time.monotonic() + 15 * SLOW
            while p.poll() is None and time.monotonic() < end:
                if select.select([master], [], [], 0.05)[0]:
                    os.read(master, 65536)
            code = p.poll()
            if code is None:
                p.kill()
                p.wait()
            os.close(master)
            os.close(slave)
            equal(code, 1, f"exit after answer {i}")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_huge_and_odd_command_lines_are_taken_or_refused(t):
    a = start(t)
    pid = a.pid()
    a.run("display-message", "-p", "x" * 120000)
    a.run(*(["display-message", "-p", "x", ";"] * 2500))
    a.ok("load-buffer", "-b", "big", "-", stdin=b"y" * 5000000)
    equal(a.ok("show-buffer", "-b", "big"), "y" * 5000000)
    for fmt in ("#{" * 5000 + "}" * 5000, "#{s/(a+)+$/x/:" + "a" * 900 + "b}", "#{=99999999999:x}", "#{p999999999:x}",
                "#{E:" * 200 + "@x" + "}" * 200, "#{W:#{W:#{P:#{P:x}}}}", "#{m:" + "*a" * 400 + "," + "a" * 900 + "}"):
        a.run("display-message", "-p", fmt)
    for name in ("".join(map(chr, range(1, 33))), "\x7f\x9b", "a" * 50000, "-x", "#{pid}", "\u202e\u0301"):
        a.run("rename-session", "-t", "$0", "--", name)
        a.run("rename-window", "-t", "$0:", "--", name)
    config = os.path.join(a.dir, "odd.conf")
    rng = random.Random(2)
    for data in (rng.randbytes(20000), b"{" * 50000, b"if -F 1 {\n" * 2000, b"%if 1\n" * 5000, b'set -g @x "' + b"#{" * 10000,
                 b"\\\n" * 50000, b"bind x " + b"{ bind y " * 500, b"a=" + b"$a" * 5000 + b"\nset -g @y $a"):
        with open(config, "wb") as f:
            f.write(data)
        a.run("source-file", config)
        lives(a, pid)


if __name__ == "__main__":
    main()
