#!/usr/bin/env python3
"""Bad input on the command line: one clear sentence, exit 1, nothing lost."""
import os
import socket
import subprocess

from harness import contains, equal, main, wait_for


def test_unknown_and_ambiguous_commands_are_named(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    equal(a.fails("frobnicate"), "unknown command: frobnicate")
    err = a.fails("kill-")
    contains(err, "ambiguous command: kill-, could be: ")
    for name in ("kill-pane", "kill-server", "kill-session", "kill-window"):
        contains(err, name)
    a.ok("has", "-t", "x")


def test_a_unique_prefix_and_an_alias_run_the_command(t):
    a = t.amux()
    a.ok("new", "-d", "-s", "x", "cat")
    a.ok("list-se")
    a.ok("lsw")


def test_wrong_flags_and_arguments_say_what_is_wrong(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    for words in (["ls", "-Q"], ["kill-session", "extra"], ["rename-session"], ["list-windows", "-t"]):
        err = a.fails(*words)
        equal(err.count("\n"), 0, str(words))
        contains(err, {"ls": "list-sessions"}.get(words[0], words[0]))


def test_missing_targets_are_named(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    equal(a.fails("kill-session", "-t", "nope"), "can't find session: nope")
    equal(a.fails("select-window", "-t", "x:nope"), "can't find window: nope")
    equal(a.fails("kill-pane", "-t", "x:0.7"), "can't find pane: 7")
    equal(a.fails("kill-pane", "-t", "%99"), "can't find pane: %99")
    equal(a.fails("select-window", "-t", "@99"), "can't find window: @99")
    equal(a.fails("detach-client", "-t", "/dev/pts/none"), "can't find client: /dev/pts/none")


def test_session_names_are_refused_or_changed_with_a_word(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    equal(a.fails("new-session", "-d", "-s", "x"), "duplicate session: x")
    equal(a.run("new-session", "-d", "-s", "")[0], 1)
    for given, got in (("a:b", "a_b"), ("app_3.1.9", "app_3_1_9")):
        code, out, err = a.run("new-session", "-d", "-s", given, "cat")
        equal((code, out), (0, ""), given)
        equal(err.count("\n"), 1, err)
        contains(err, got)
        a.ok("has-session", "-t", "=" + got)
    code, out, err = a.run("new-session", "-d", "-s", "e\033[31m\n\x07", "cat")
    equal(code, 0, err)
    listing = a.ok("ls", "-F", "#S")
    assert all(c == "\n" or c >= " " for c in listing), repr(listing)
    equal(listing.count("\n"), 4)


def test_a_socket_path_that_is_too_long_is_refused(t):
    a = t.amux()
    err = a.fails("ls", env={"AMUX_TMPDIR": a.dir + "/" + "d" * 120})
    assert "too long" in err or "cannot use" in err, err
    from harness import AMUX
    r = subprocess.run([AMUX, "-S", a.dir + "/" + "s" * 150, "ls"], env=a.env, capture_output=True, text=True)
    equal(r.returncode, 1)
    contains(r.stderr, "too long")


def test_a_socket_directory_open_to_others_is_refused_and_left_alone(t):
    a = t.amux()
    d = f"{a.dir}/amux-{os.getuid()}"
    os.mkdir(d)
    os.chmod(d, 0o777)
    err = a.fails("new-session", "-d")
    contains(err, d)
    contains(err, "open to others")
    equal(os.listdir(d), [])


def test_the_socket_of_another_program_is_refused_and_kept(t):
    a = t.amux()
    path = f"{a.dir}/amux-{os.getuid()}/test"
    os.mkdir(os.path.dirname(path), 0o700)
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(5)
    p = subprocess.Popen(a.argv("ls"), env=a.env, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    c, _ = s.accept()
    c.sendall(b"220 hello, I am something else entirely\r\n")
    equal(p.wait(20), 1)
    err = p.stderr.read().decode()
    contains(err, path)
    contains(err, "not an amux")
    assert os.path.exists(path)
    p = subprocess.Popen(a.argv("ls"), env=a.env, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    c2, _ = s.accept()
    c2.close()
    equal(p.wait(20), 1)
    equal(p.stderr.read().decode().count("\n"), 1)
    c.close()
    s.close()


def test_garbage_and_half_messages_end_only_their_own_connection(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    path = a.show("#{socket_path}")
    pid = a.pid()
    for data in (b"\xff\xff\xff\xff", b"\0" * 4000, os.urandom(5000), b"\x06\0\0\0\x01\0\x01\0", b"GET / HTTP/1.0\r\n\r\n"):
        s = socket.socket(socket.AF_UNIX)
        s.connect(path)
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            s.settimeout(20)
            while s.recv(4096):
                pass
        except (BrokenPipeError, ConnectionResetError):
            pass
        s.close()
    equal(a.pid(), pid)
    equal(a.ok("ls", "-F", "#S"), "x\n")


def test_a_config_error_names_file_and_line_and_the_rest_is_applied(t):
    a = t.amux(config="set -g base-index 3\nfrobnicate here\nset -g status-interval banana\nset -g history-limit 1234\n")
    a.run("new-session", "-d", "-s", "x", "cat")
    equal(a.ok("show-options", "-gv", "base-index"), "3\n")
    equal(a.ok("show-options", "-gv", "history-limit"), "1234\n")
    text = a.ok("show-messages")
    contains(text, f"{a.config}:2: unknown command: frobnicate")
    contains(text, f"{a.config}:3: ")


def test_a_config_that_includes_itself_or_is_no_file_ends_with_an_error(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    me = os.path.join(a.dir, "self.conf")
    with open(me, "w") as f:
        f.write(f"set -g @before yes\nsource-file {me}\n")
    code, out, err = a.run("source-file", me)
    assert code == 1 and err, (code, out, err)
    equal(a.ok("show-options", "-gv", "@before"), "yes\n")
    os.mkfifo(os.path.join(a.dir, "fifo"))
    for path in ("fifo", "home"):
        assert a.fails("source-file", os.path.join(a.dir, path))
    contains(a.fails("source-file", "/nowhere/x.conf"), "/nowhere/x.conf")


def test_a_program_that_cannot_be_started_is_an_error(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    code, out, err = a.run("new-session", "-d", "-s", "bad", "/nowhere/program", "argument")
    equal(code, 1, err)
    contains(err, "/nowhere/program")
    wait_for(lambda: a.ok("ls", "-F", "#S") == "x\n", 5, "the failed session is gone")


def test_a_bad_start_directory_falls_back_and_says_so(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    code, out, err = a.run("new-window", "-d", "-c", "/nowhere/at/all", "-t", "x:1", "pwd; cat")
    equal(code, 0, err)
    a.wait_capture(a.home, "x:1")


def test_limits_reached_fail_one_request_and_nothing_else(t):
    a = t.amux()
    p = subprocess.run(["bash", "-c", "ulimit -Hn 64; ulimit -n 64; exec \"$@\"", "bash"] + a.argv("new-session", "-d", "-s", "x", "cat"),
                       env=a.env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    equal(p.returncode, 0, p.stderr)
    made = 0
    while made < 80:
        code, out, err = a.run("new-window", "-d", "-t", "x:", "cat")
        if code:
            break
        made += 1
    assert made < 80, "the limit was never reached"
    equal(code, 1)
    assert err.strip(), "no reason given"
    equal(a.ok("ls", "-F", "#S"), "x\n")
    a.ok("send-keys", "-t", "x:0", "still here")
    a.wait_capture("still here", "x:0")
    a.ok("kill-window", "-t", "x:1")
    wait_for(lambda: a.run("new-window", "-d", "-t", "x:1", "cat")[0] == 0, 10, "room again")


def test_output_closed_early_is_no_trouble(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    pid = a.pid()
    line = " ".join(a.argv("list-commands"))
    r = subprocess.run(f"{line} | head -n 1; {line} | true; {line} >&-", shell=True, env=a.env, capture_output=True, text=True)
    contains(r.stdout, "attach-session")
    equal(a.pid(), pid)


if __name__ == "__main__":
    main()
