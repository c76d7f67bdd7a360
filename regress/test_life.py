#!/usr/bin/env python3
"""The server's life: where it binds, what its children leave, limits, and peers that speak another protocol."""
import os
import re
import signal
import socket
import struct
import subprocess
import time

from harness import SLOW, Skip, alive, contains, equal, main, wait_for


def start(t, *command, **kw):
    a = t.amux(**kw)
    a.ok("new-session", "-d", "-s", "main", *(command or ("cat",)))
    return a


def children(pid):
    """(pid, state) of each child."""
    out = []
    for p in os.listdir("/proc"):
        try:
            with open(f"/proc/{p}/stat") as f:
                s = f.read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if p.isdigit() and int(s[1]) == pid:
            out.append((int(p), s[0]))
    return out


def cpu_ticks(pid):
    with open(f"/proc/{pid}/stat") as f:
        s = f.read().rsplit(")", 1)[1].split()
    return int(s[11]) + int(s[12])


# --- where it is

def refused(a, directory, *parts):
    err = a.fails("new-session", "-d", "-s", "x", "cat")
    equal(err.count("\n"), 0, err)
    for part in (directory, "AMUX_TMPDIR") + parts:
        contains(err, part)


def test_a_socket_directory_that_is_a_link_or_a_file_is_refused(t):
    a = t.amux()
    d = f"{a.dir}/amux-{os.getuid()}"
    other = f"{a.dir}/other"
    os.mkdir(other, 0o700)
    os.symlink(other, d)
    refused(a, d, "symbolic link")
    equal(os.listdir(other), [])
    os.unlink(d)
    with open(d, "w"):
        pass
    refused(a, d, "not a directory")


def test_a_socket_directory_of_somebody_else_is_refused_with_the_owner(t):
    if os.getuid() != 0:
        raise Skip("only root can give a directory away")
    a = t.amux()
    d = f"{a.dir}/amux-0"
    os.mkdir(d, 0o700)
    os.chown(d, 65534, 65534)
    refused(a, d, "belongs to nobody")
    equal(os.listdir(d), [])


def test_starts_leave_only_the_socket_behind(t):
    a = start(t)
    procs = [subprocess.Popen(a.argv("new-session", "-d", "-s", f"n{i}", "cat"), env=a.env, stdin=subprocess.DEVNULL)
             for i in range(5)]
    equal([p.wait(30) for p in procs], [0] * 5)
    equal(os.listdir(f"{a.dir}/amux-{os.getuid()}"), ["test"])


def test_a_socket_that_cannot_be_made_again_leaves_umask_and_panes_alone(t):
    old = os.umask(0o002)
    try:
        a = start(t, "bash", "--norc")
    finally:
        os.umask(old)
    c = a.attach()
    c.wait("$")
    pid, path = a.pid(), a.show("#{socket_path}")
    os.kill(pid, signal.SIGSTOP)  # it would make the directory again at once
    os.rename(os.path.dirname(path), a.dir + "/away")
    with open(os.path.dirname(path), "w"):
        pass  # in the way of the directory
    os.kill(pid, signal.SIGUSR1)  # make the socket again
    os.kill(pid, signal.SIGCONT)
    c.send("\x02c")
    c.wait("1:bash*")
    c.send("umask; mkdir d && touch d/f && stat -c %a d/f && echo MA''DE\r")
    rows = c.wait("MADE")
    contains("\n".join(rows), "0002")
    contains("\n".join(rows), "664")
    assert alive(pid)
    os.unlink(os.path.dirname(path))
    os.kill(pid, signal.SIGUSR1)
    wait_for(lambda: a.run("ls")[0] == 0, 10, "the socket is back")
    equal(a.pid(), pid)


def test_a_start_directory_without_permission_falls_back(t):
    a = start(t)
    if os.getuid() == 0:
        raise Skip("root may go anywhere")
    os.mkdir(a.dir + "/closed", 0)
    code, out, err = a.run("new-window", "-d", "-c", a.dir + "/closed", "-t", "main:1", "pwd; cat")
    equal((code, out, err), (0, "", f"cannot enter {a.dir}/closed: started in the home directory\n"))
    a.wait_capture(a.home, "main:1")


# --- children

def test_statuses_of_many_programs_that_end_at_once_are_right(t):
    a = start(t)
    a.ok("set-option", "-g", "remain-on-exit", "on")
    gate = a.dir + "/gate"
    words = []
    for n in range(20):
        words += ["new-window", "-d", "-t", f"main:{n + 1}", f"while [ ! -e {gate} ]; do sleep 0.05; done; exit {n}", ";"]
    a.ok(*words[:-1])
    with open(gate, "w"):
        pass
    want = "".join(f"{n + 1} 1 {n}\n" for n in range(20))
    fmt = "#{window_index} #{pane_dead} #{pane_dead_status}"
    wait_for(lambda: a.ok("list-panes", "-s", "-F", fmt).split("\n", 1)[1] == want, 10, "every status")
    equal([s for _, s in children(a.pid())].count("Z"), 0)


def test_a_program_ended_by_a_signal_says_so(t):
    a = start(t)
    a.ok("set-option", "-g", "remain-on-exit", "on")
    a.ok("new-window", "-d", "-t", "main:1", "kill -9 $$")
    a.wait_show("#{pane_dead} #{pane_dead_signal}", "1 9", "main:1")


def test_background_children_of_a_closed_pane_leave_no_zombie(t):
    a = start(t)
    pid = a.pid()
    a.ok("new-window", "-d", "-t", "main:1", "bash --norc -ic 'sleep 1000 & sleep 1000 & sleep 1000'")
    shell = int(a.show("#{pane_pid}", "main:1"))
    wait_for(lambda: len(children(shell)) == 3, 10, "three children")
    kids = [p for p, _ in children(shell)]
    a.ok("kill-pane", "-t", "main:1")
    wait_for(lambda: not alive(shell) and not any(alive(k) for k in kids), 10, "all are gone")
    wait_for(lambda: len(children(pid)) == 1, 10, "no zombie")


def test_an_ended_program_that_left_one_with_its_terminal_still_closes_the_pane(t):
    a = start(t)
    a.ok("new-window", "-d", "-t", "main:1", "sleep 300 & echo $! > %s/kid; exit 0" % a.dir)
    wait_for(lambda: a.ok("list-windows", "-F", "#I") == "0\n", 10, "the window is gone")


# --- limits

def test_too_many_connections_cost_no_cpu_and_the_server_recovers(t):
    a = t.amux()
    p = subprocess.run(["bash", "-c", "ulimit -Hn 64; ulimit -n 64; exec \"$@\"", "bash"] + a.argv("new-session", "-d", "-s", "x", "cat"),
                       env=a.env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    equal(p.returncode, 0, p.stderr)
    pid, path = a.pid(), a.show("#{socket_path}")
    held = []
    for _ in range(100):
        s = socket.socket(socket.AF_UNIX)
        s.setblocking(False)
        try:
            s.connect(path)
        except BlockingIOError:
            break
        held.append(s)

    def full():
        return len(os.listdir(f"/proc/{pid}/fd")) >= 60
    wait_for(full, 5, "descriptors are used up")
    before = cpu_ticks(pid)
    time.sleep(1)  # the thing under test: what it costs meanwhile
    assert cpu_ticks(pid) - before <= 10, "it spins"
    for s in held:
        s.close()
    equal(a.ok("ls", "-F", "#S", limit=10), "x\n")
    equal(a.pid(), pid)


# --- terminals

def test_commands_that_need_no_terminal_need_no_term(t):
    a = t.amux()
    for term in (None, "", "dumb", "no-such-thing"):
        env = {"TERM": term}
        a.ok("new-session", "-d", "-s", f"s{term}", "cat", env=env)
        a.ok("ls", env=env)
        a.ok("send-keys", "-t", f"s{term}", "typed", env=env)
        wait_for(lambda: "typed" in a.ok("capture-pane", "-p", "-t", f"s{term}", env=env), 5, "typed text")


def test_term_in_panes_names_an_entry_that_is_there(t):
    a = start(t, "sh -c 'echo TERM=$TERM; tput cols; cat'", )
    text = a.wait_capture("TERM=")
    name = re.search(r"TERM=(\S+)", text).group(1)
    equal(subprocess.run(["infocmp", name], stdout=subprocess.DEVNULL).returncode, 0)


def test_a_vt52_is_served_or_refused_with_a_sentence(t):
    a = start(t)
    c = a.attach(term="vt52")
    wait_for(lambda: not alive(c.pid()) or a.show("#{session_attached}") == "1", 5, "either")
    if not alive(c.pid()):
        equal(c.exit(), 1)
        contains(c.text(), "vt52")
    a.ok("has-session", "-t", "main")


# --- other protocols

def string(s):
    return struct.pack("<I", len(s)) + s


def frame(kind, body):
    return struct.pack("<IH", len(body) + 2, kind) + body


def hello(low, high):
    return frame(1, struct.pack("<II", low, high) + string(b"amux 99.9") + string(b"/") + string(b"") * 3 +
                 struct.pack("<IHHHH", 0, 80, 24, 0, 0) + struct.pack("<I", 0) + struct.pack("<I", os.getpid()))


def talk(path, data, limit=5.0):
    """What the server sends until it closes."""
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    s.settimeout(limit * SLOW)
    s.sendall(data)
    got = b""
    try:
        while True:
            d = s.recv(65536)
            if not d:
                break
            got += d
    finally:
        s.close()
    return got


def test_a_client_of_another_protocol_is_told_at_once_which_versions_there_are(t):
    a = start(t)
    c = a.attach()
    c.wait("[main]")
    path = a.show("#{socket_path}")
    for low, high in ((99, 100), (0, 0)):
        began = time.monotonic()
        got = talk(path, hello(low, high))
        assert time.monotonic() - began < 1 * SLOW
        equal(struct.unpack("<H", got[4:6])[0], 65, repr(got))
        contains(got.decode(errors="replace"), "amux")
    c.send("still\r")
    c.wait("still")


def test_a_length_of_four_gigabytes_or_a_flood_before_the_greeting_is_cut_off(t):
    a = start(t)
    path, pid = a.show("#{socket_path}"), a.pid()
    for data in (b"\xff\xff\xff\xff\x01\x00", struct.pack("<IH", 0, 1), frame(5, b"\0" * 12), frame(0x7fff, b"x"),
                 frame(1, b"\0" * 3), frame(1, struct.pack("<II", 1, 1) + struct.pack("<I", 0xffffffff))):
        talk(path, data)
    half = socket.socket(socket.AF_UNIX)
    half.connect(path)
    half.sendall(hello(1, 1)[:5])  # and then nothing
    equal(a.ok("ls", "-F", "#S"), "main\n")
    half.close()
    equal(a.pid(), pid)


def serve(a, reply, *args, env=None):
    """What `amux ...` says to a server that answers its greeting with these bytes: (code, stderr, seconds)."""
    path = f"{a.dir}/amux-{os.getuid()}/test"
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(5)
    began = time.monotonic()
    p = subprocess.Popen(a.argv(*args), env={**a.env, **(env or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    c, _ = s.accept()
    c.recv(65536)
    c.sendall(reply)
    _, err = p.communicate(timeout=20 * SLOW)
    c.close()
    s.close()
    os.unlink(path)
    return p.returncode, err.decode(), time.monotonic() - began


def test_a_server_of_another_protocol_is_named_with_who_is_older_and_the_way_on(t):
    a = t.amux()
    for low, high, older in ((99, 100, "this amux is older"), (0, 0, "the server is older")):
        reply = frame(65, struct.pack("<II", low, high) + string(b"amux 99.9") + string(b"versions differ"))
        for words in (["ls"], ["attach-session"]):
            code, err, took = serve(a, reply, *words, env={"AMUX_REEXEC": "1"})
            equal(code, 1, err)
            for part in ("amux 99.9", older, "kill-server", f"protocol {low} to {high}"):
                contains(err, part)
            assert took < 2 * SLOW, took


def test_a_server_that_answers_with_anything_else_is_not_trusted(t):
    a = t.amux()
    for reply in (b"\xff\xff\xff\xff\x40\x00", frame(66, b"\x01" + string(b"evil\x1b[31m")), frame(64, b"\0"), b"\0" * 100,
                  frame(65, struct.pack("<II", 1, 1) + string(b"a\x1b[31mb") + string(b"why\x1b]0;x\x07"))):
        code, err, _ = serve(a, reply, "ls")
        equal(code, 1, f"{reply!r}: {err}")
        assert err.count("\n") == 1 and "\x1b" not in err and "\x07" not in err, repr(err)


if __name__ == "__main__":
    main()
