#!/usr/bin/env python3
"""The command line with odd words: semicolons, names, long arguments, files that include themselves, exit codes."""
import os
import re
import subprocess
import time

from harness import SLOW, contains, equal, main, wait_for
from test_input import Recorder


def start(t, *command, **kw):
    a = t.amux(**kw)
    a.ok("new-session", "-d", "-s", "main", *(command or ("cat",)))
    return a


def recording(t):
    a = t.amux()
    r = Recorder(a)
    a.ok("new-session", "-d", "-s", "main", *r.argv)
    a.wait_capture("READY")
    return a, r


def test_text_that_ends_in_a_semicolon_is_typed_whole(t):
    a, r = recording(t)
    for given, typed in (("a;", b"a;"), (";;", b";;"), ("x ; y", b"x ; y"), ("\\;", b";"), ("a\\;", b"a;"), ("a;b", b"a;b"),
                         ("\\\\", b"\\\\"), ("#{pid}", b"#{pid}"), ("$HOME", b"$HOME"), ("{", b"{"), ("'\"", b"'\"")):
        a.ok("send-keys", "-l", given)
        r.expect(typed, given)
    contains(a.fails("send-keys", "-l", ";"), "no text to type")
    a.ok("send-keys", "-l", "one", ";", "send-keys", "-l", "two;")
    r.expect(b"onetwo;")
    assert a.run("send-keys", "-l", "a;", "Enter")[0] == 1


def test_session_names_are_refused_or_found_under_the_same_words(t):
    a = start(t)
    for name in ("=x", "$1", "-x", "@1", "%1", "+", "!", "*", "a b", "{x}", "~", "^", "é橋", "x" * 200, "main2", "#[fg=red]", "0", "a'\"b",
                 "-", "--"):
        code, out, err = a.run("new-session", "-d", "-s", name, "cat")
        if code:
            contains(err, "invalid session")
            equal(err.count("\n"), 1)
            continue
        equal(err, "", name)
        a.ok("has-session", "-t", name)
        a.ok("has-session", "-t", "=" + name)
        equal(a.show("#S", "=" + name + ":"), name)
        a.ok("kill-session", "-t", name)
        equal(a.ok("ls", "-F", "#S"), "main\n", name)


PAYLOADS = ("a\nb", "a\tb", "\x1b[31mred", "x\x07y", "a\u009b31mb", "\x1b]0;evil\x07", "a\x7fb")


def test_control_bytes_in_names_and_titles_never_reach_a_terminal(t):
    a = start(t)
    a.ok("set-option", "-g", "set-titles", "on")
    a.ok("set-option", "-g", "set-titles-string", "#S:#W:#T")
    a.ok("set-option", "-g", "status-right", "#{pane_title}")
    a.ok("set-option", "-g", "allow-rename", "on")
    c = a.attach()
    c.wait("[main]")
    for n, p in enumerate(PAYLOADS):
        a.run("rename-window", "-t", "main", p)
        a.run("select-pane", "-t", "main", "-T", p)
        a.run("rename-session", "-t", "main", f"s{n}{p}")
        a.run("display-message", p)
        a.run("set-option", "-g", "status-left", p)
        listing = a.ok("list-sessions") + a.ok("list-windows", "-F", "#W") + a.ok("list-panes", "-F", "#{pane_title}")
        equal(listing.count("\n"), 3, repr(listing))
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\x80-\x9f]", listing), repr(listing)
        c.settle(0.1)
        out = c.raw()
        for bad in (b"\x1b[31mred", b"x\x07y", b"\x9b31m", b"\x1b]0;evil", b"a\x7fb"):
            assert bad not in out, f"{p!r}: {out!r}"
        a.ok("rename-session", "main")
    a.ok("new-window", r"printf '\033]2;t\033[31m\302\233x\ny\033\\\033kw\001\002\033\\'; cat")
    c.settle(0.2)
    equal(a.ok("list-windows").count("\n"), 2)


def test_names_given_by_programs_are_one_clean_line(t):
    a = start(t, r"printf '\033]2;one\ttwo\tthree\033\\READY'; cat")
    a.wait_capture("READY")
    title = a.ok("list-panes", "-F", "#{pane_title}")
    equal(title.count("\n"), 1)
    assert "\t" not in title and "\x1b" not in title, repr(title)


def test_a_config_that_includes_itself_or_waits_for_ever_does_not_keep_the_server(t):
    a = t.amux()
    with open(a.config, "w") as f:
        f.write(f"set -g @before yes\nsource-file {a.dir}/b.conf\nset -g @after yes\n")
    with open(a.dir + "/b.conf", "w") as f:
        f.write(f"set -g @b yes\nsource-file {a.config}\n")
    began = time.monotonic()
    a.run("new-session", "-d", "-s", "main", "cat")
    assert time.monotonic() - began < 3 * SLOW
    for name in ("@before", "@b", "@after"):
        equal(a.ok("show-options", "-gv", name), "yes\n", name)
    os.mkfifo(a.dir + "/fifo")
    for path in (a.dir + "/fifo", a.dir, "/dev/tty"):
        began = time.monotonic()
        code, _, err = a.run("source-file", path)
        equal(code, 1, path)
        contains(err, path)
        assert time.monotonic() - began < 2 * SLOW
    b = t.amux(label="fifo")
    os.mkfifo(b.dir + "/conf")
    b.config = b.dir + "/conf"
    b.run("new-session", "-d", "-s", "x", "cat", limit=10)
    equal(b.ok("ls", "-F", "#S"), "x\n")


def test_exit_codes_and_streams_tell_what_happened(t):
    a = start(t)
    equal(a.run("run-shell", "exit 7")[0], 7)
    equal(a.run("run-shell", "echo out")[:2], (0, "out\n"))
    for words in (["kill-session", "-t", "nope"], ["new-session", "-d", "-s", "z", "/nowhere/at/all", "x"], ["split-window", "/nowhere/at/all", "x"],
                  ["new-window", "/nowhere/at/all", "x"], ["source-file", "/nowhere"], ["load-buffer", "/nowhere/x"], ["show-buffer", "-b", "nope"],
                  ["if-shell"], ["wait-for"], ["set-option", "-g", "nope", "1"], ["bind-key", "Nope-x", "ls"], ["send-keys", "-t", "nope", "x"]):
        a.fails(*words)
    equal(a.ok("list-windows").count("\n"), 1)
    equal(a.ok("list-panes").count("\n"), 1)
    a.ok("set-option", "-g", "remain-on-exit", "on")
    a.ok("new-window", "-d", "-t", "main:5", "nowhere-to-be-found")
    a.wait_show("#{pane_dead_status}", "127", "main:5")


def test_a_first_word_of_the_list_that_fails_stops_the_rest(t):
    a = start(t)
    code, out, err = a.run("kill-session", "-t", "nope", ";", "new-window")
    equal((code, out), (1, ""))
    equal(a.ok("list-windows").count("\n"), 1)


def test_very_long_arguments_and_input_arrive_whole_or_are_refused(t):
    a, r = recording(t)
    text = "".join(chr(97 + n % 26) for n in range(120000))
    a.ok("send-keys", "-l", text)
    r.expect(text.encode(), "120 kB", 20)
    big = "".join(f"{n:07d}\n" for n in range(625000)).encode()
    a.ok("load-buffer", "-b", "big", "-", stdin=big, limit=40)
    equal(a.ok("list-buffers", "-F", "#{buffer_name} #{buffer_size}"), "big 5000000\n")
    equal(a.ok("show-buffer", "-b", "big"), big.decode())
    a.ok("paste-buffer", "-b", "big", "-r", limit=40)
    wait_for(lambda: os.path.getsize(r.log) >= 10000000, 40, "5 MB in the program")
    wait_for(lambda: len(r.got()) >= len(big), 40, "5 MB in the program")
    equal(r.got() == big, True, "every byte of 5 MB")
    r.clear()
    a.ok("send-keys", *(["x"] * 10000))
    r.expect(b"x" * 10000)
    env = {f"LONG{n}": "v" * 10000 for n in range(10)}
    a.ok("new-session", "-d", "-s", "env", "echo ${#LONG9}; cat", env=env)
    a.ok("has-session", "-t", "env")


def test_a_list_of_many_sessions_cut_short_harms_nobody(t):
    a = start(t)
    for n in range(10):
        words = []
        for i in range(10):
            words += ["new-session", "-d", "-s", f"s{n}-{i}", "cat", ";"]
        a.ok(*words[:-1])
    line = " ".join(a.argv("ls"))
    r = subprocess.run(f"{line} | head -n 1; {line} | true; {line} >&-; {line} > /dev/full; echo $?", shell=True, env=a.env,
                       capture_output=True, text=True)
    equal(r.stdout.count("\n"), 2)
    assert r.stdout.split("\n")[1] != "0", "a full device is not a success"
    equal(a.ok("ls").count("\n"), 101)


if __name__ == "__main__":
    main()
