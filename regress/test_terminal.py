#!/usr/bin/env python3
"""The client and its terminal: clicks, pastes, answers, links, clipboard, titles, sizes; looked at as raw bytes."""
import json
import os
import re
import signal
import time

from harness import SLOW, Terminal, alive, contains, equal, main, wait_for


def start(t, *command, cols=80, rows=24, config=""):
    a = t.amux(config=config)
    a.ok("new-session", "-d", "-s", "main", "-x", str(cols), "-y", str(rows), *(command or ("bash", "--norc")))
    return a


def click(c, x, y):
    c.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")


def test_clicks_on_a_window_list_wider_than_the_terminal_find_what_is_drawn(t):
    a = start(t, cols=40, rows=8)
    a.ok("set-option", "-g", "mouse", "on")
    for i in range(1, 12):
        a.ok("new-window", "-t", "main", "-n", f"w{i}x", "cat")
    c = a.attach(cols=40, rows=8)
    for current in (5, 0, 11, 6):
        a.ok("select-window", "-t", f"main:{current}")
        rows = c.wait(lambda r: re.search(rf"\b{current}:\S+\*", r[7]))
        shown = [(m.start(), int(m.group(1))) for m in re.finditer(r"(\d+):w\d+x", rows[7])]
        assert len(shown) >= 2 and (">" in rows[7] or "<" in rows[7]), rows[7]
        for x, index in shown:
            click(c, x + 2, 7)
            a.wait_show("#{window_index}", str(index), "main:")
            a.ok("select-window", "-t", f"main:{current}")


def test_a_paste_whose_end_is_lost_does_not_keep_what_is_typed(t):
    a = start(t, r"printf '\033[?2004hREADY'; cat -v")
    a.ok("bind-key", "-n", "M-t", "set-option", "-g", "@typed", "yes")
    c = a.attach()
    c.wait("READY")
    c.send("\x1b[200~pasted")
    c.wait("READY^[[200~pasted")  # given at once, not only at its end
    c.wait("pasted^[[201~")
    c.send("\x1bt")
    a.wait_show("#{@typed}", "yes")


def attach_in_shell(t, a, answers, cols=150, rows=45):
    """A client started by a shell, that shows what is left for it to read when the client has gone."""
    words = " ".join(a.argv("attach-session"))
    c = Terminal(["sh", "-c", f"{words}; echo LEFT; exec cat -v"], cols, rows, {**a.env, "TERM_ANSWERS": answers}, a.home)
    a.terminals.append(c)
    return c


def client_job(a, name):
    client = a.ok("list-clients", "-F", "#{client_name}").split()[0]
    for job in json.loads(a.ok("show-jobs", "-J", "-c", client))["jobs"]:
        if job["name"] == name:
            return job
    return None


# Rows that differ, so that a screen of them takes more than the 4 kB behind which the terminal is asked.
BIG = r"for i in 1 2 3; do b=$((RANDOM * 7)); seq -s ' ' $b $((b + 1000)); done | fold -w 140 | tail -n 60; echo END"


def test_answers_that_come_late_twice_or_wrongly_neither_reach_panes_nor_the_shell(t):
    a = start(t, "bash", "-c", f"while read x; do {BIG}; done")
    for answers in ("on", "late 150", "twice", "wrong", "off"):
        c = attach_in_shell(t, a, answers)
        c.wait("[main]")
        for _ in range(3):
            c.send("go\r")
            c.wait("END")
        c.send("go\r")
        a.ok("detach-client", "-s", "main")
        rows = c.wait("LEFT")
        c.settle(0.4)
        shown = "\n".join(c.screen())
        contains(shown, "[detached (from session main)]")
        after = shown[shown.index("LEFT") + 4:].strip()
        equal(after, "", f"answers {answers}")
        assert "0n" not in a.capture("main"), a.capture("main")
        c.close()
        wait_for(lambda: a.ok("list-clients") == "", 10, "the client has gone")


def test_a_terminal_that_never_answers_is_paced_and_left_at_once(t):
    a = start(t, "bash", "-c", f"while read x; do {BIG}; test $x = flood && seq -s ' ' 1000000000 9000000000 | fold -w 140; done")
    c = attach_in_shell(t, a, "off")
    c.wait("[main]")
    c.send("go\r")
    c.wait("END")
    wait_for(lambda: client_job(a, "terminal-answer")["runs"] > 0, 10, "no answer came")
    wait_for(lambda: not client_job(a, "terminal-answer")["armed"], 10, "pacing has nothing to wait for")
    c.send("flood\r")
    c.wait(lambda rows: all(re.match(r"[\d ]{100}", row) for row in rows[:40]))
    began, before = time.monotonic(), c.count()
    wait_for(lambda: c.changed(20) and time.monotonic() - began > 2, 10, "two seconds of a flood")
    rate = (c.count() - before) / (time.monotonic() - began)
    assert 1000 < rate < 125000, f"{rate:.0f} bytes a second"
    began = time.monotonic()
    c.send("\x02d")
    c.wait("LEFT")
    assert time.monotonic() - began < 0.8 * SLOW, "waited for answers that never come"


def test_a_terminal_that_answers_again_is_asked_again(t):
    a = start(t, "bash", "-c", f"while read x; do {BIG}; done")
    c = a.attach(cols=150, rows=45, env={"TERM_ANSWERS": "off"})
    c.wait("[main]")
    c.send("go\r")
    c.wait("END")
    wait_for(lambda: client_job(a, "terminal-answer")["runs"] > 0, 10, "no answer came")
    c.raw()
    c.send("go\r")
    c.settle(0.2)
    assert b"\x1b[5n" not in c.raw(), "asked although it never answers"
    c.answers("on")
    c.send("\x1b[0n")  # the answer comes at last
    c.send("go\r")
    wait_for(lambda: b"\x1b[5n" in c.raw(), 10, "it is asked again")


def drawn(c, what):
    """The bytes that came until the screen held `what`."""
    c.wait(what)
    return c.raw()


def test_links_reach_terminals_that_have_them_with_an_id_and_no_others(t):
    a = start(t, r"printf 'READY\033]8;;http://a.example/x\033\\one\033]8;;\033\\ \033]8;id=k;http://b.example/\033\\two\033]8;;\033\\ end'; cat")
    out = drawn(a.attach(), "one two end")
    assert re.search(rb"\x1b\]8;id=[^;]+;http://a\.example/x\x1b\\one", out), out
    assert re.search(rb"\x1b\]8;id=k;http://b\.example/\x1b\\two[^a-z]*\x1b\]8;;\x1b\\end", out), out
    for term in ("screen-256color", "linux", "vt100"):
        assert b"]8;" not in drawn(a.attach(env={"TERM": term}), "one two end"), term
    a.ok("set-option", "-s", "terminal-features", "screen*:hyperlinks")
    assert b"]8;id=k;" in drawn(a.attach(env={"TERM": "screen-256color"}), "one two end")


def test_the_clipboard_is_set_where_it_can_be_and_may_be(t):
    a = start(t, r"printf 'READY\n'; while read x; do printf '\033]52;c;%s\033\\' $x; echo did-$x; done")
    seq = b"\x1b]52;c;aGVsbG8=\x07"
    c, d = a.attach(), a.attach(env={"TERM": "linux"})
    for term in (c, d):
        term.wait("READY")
    c.send("aGVsbG8=\r")
    assert seq in drawn(c, "did-aGVsbG8="), "on: the program sets it"
    assert b"]52;" not in drawn(d, "did-aGVsbG8="), "a terminal that has none"
    for value in ("external", "off"):
        a.ok("set-option", "-s", "set-clipboard", value)
        c.send("aGVsbG8=\r")
        c.wait(lambda rows: sum("did-" in r for r in rows) == {"external": 2, "off": 3}[value])
        assert seq not in c.raw(), value
    a.ok("set-option", "-s", "set-clipboard", "on")
    a.ok("set-option", "-s", "terminal-overrides", "xterm*:Ms@")
    c.send("aGVsbG8=\r")
    c.wait(lambda rows: sum("did-" in r for r in rows) == 4)
    assert seq not in c.raw(), "taken away by an override"


def test_the_cursor_has_its_shape_and_colour_back_after_leaving(t):
    a = start(t, r"printf '\033[5 q\033]12;#ff0000\033\\READY'; cat")
    c = a.attach()
    out = drawn(c, "READY")
    for seq in (b"\x1b[5 q", b"\x1b]12;#ff0000\x07"):
        assert seq in out, seq
    c.send("\x02d")
    equal(c.exit(), 0)
    out = c.raw()
    for seq in (b"\x1b[0 q", b"\x1b]112\x07"):
        assert seq in out, seq
    out = drawn(a.attach(env={"TERM": "vt100"}), "READY")
    assert b" q" not in out and b"]12;" not in out, out


def title_depth(out):
    """How deep the stack of titles is after these bytes."""
    depth = 0
    for kind in re.findall(rb"\x1b\[(2[23]);[\d;]*t", out):
        depth += 1 if kind == b"22" else -1
        assert depth >= 0, "more taken than put"
    return depth


def test_the_title_is_put_on_the_stack_once_and_taken_back(t):
    a = start(t)
    a.ok("set-option", "-g", "set-titles", "on")
    a.ok("set-option", "-g", "set-titles-string", "amux title")
    c = a.attach()
    c.wait(lambda rows: c.state()["title"] == "amux title")
    out = c.raw()
    equal(title_depth(out), 1)
    for _ in range(2):
        c.signal(signal.SIGSTOP)
        wait_for(lambda: open(f"/proc/{c.pid()}/stat").read().rsplit(")", 1)[1].split()[0] == "T", 10, "stopped")
        c.signal(signal.SIGCONT)
        new = b""
        end = time.monotonic() + 10 * SLOW
        while b"\x1b]0;amux title\x07" not in new and time.monotonic() < end:
            c.changed(100)
            new += c.raw()
        assert b"\x1b]0;amux title\x07" in new, "the title is set again"
        out += new
        equal(title_depth(out), 1)
        wait_for(lambda: time.monotonic() > end - 10 * SLOW + 1.1, 10, "stops that follow each other are one")
    c.send("\x02d")
    equal(c.exit(), 0)
    equal(title_depth(out + c.raw()), 0)


def test_terminals_are_entered_and_left_as_options_say(t):
    a = start(t, config="set -s terminal-overrides 'xterm*:smcup@:rmcup@'\n")
    c = a.attach()
    assert b"\x1b[?1049h" not in drawn(c, "[main]")
    a.ok("set-option", "-su", "terminal-overrides")
    a.ok("set-option", "-g", "mouse", "on")
    c.wait(lambda rows: c.state()["mouse"] > 0)
    a.ok("set-option", "-s", "terminal-overrides", "xterm*:kmous@")
    c.wait(lambda rows: c.state()["mouse"] == 0)
    c.send("\x02d")
    equal(c.exit(), 0)
    assert b"\x1b[?1049l" not in c.raw(), "left as it was not entered"


def test_true_colours_by_option_and_environment(t):
    a = start(t, r"printf '\033[38;2;1;2;3mREADY\033[m'; cat")
    rgb = b"38;2;1;2;3"
    assert rgb not in drawn(a.attach(), "READY")
    assert rgb in drawn(a.attach(env={"COLORTERM": "truecolor"}), "READY")
    c = a.attach(env={"TERM": "linux"})
    assert rgb not in drawn(c, "READY")
    a.ok("set-option", "-s", "terminal-features", "*:RGB")
    wait_for(lambda: rgb in c.raw(), 10, "an option that comes later draws anew")
    a.ok("set-option", "-s", "terminal-features", "nothing:RGB")
    a.ok("set-option", "-s", "terminal-overrides", "*256col*:Tc")
    assert rgb in drawn(a.attach(), "READY")


def test_user_keys_run_their_bindings(t):
    a = start(t, "cat")
    a.ok("set-option", "-s", "user-keys[3]", "\x1b[5;30012~")
    a.ok("bind-key", "-n", "User3", "set-option", "-g", "@user", "pressed")
    c = a.attach()
    c.wait("[main]")
    c.send("\x1b[5;30012~")
    a.wait_show("#{@user}", "pressed")


FILL = "seq -s ' ' 100000 106000 | fold -w 190 | tail -n 100"


def test_a_terminal_that_is_not_read_gets_the_newest_picture_only(t):
    a = start(t, "bash", "-c", f"{FILL}; echo READY; cat", cols=200, rows=60)
    a.ok("set-option", "-g", "status-right", "%H:%M:%S")
    c = a.attach(cols=200, rows=60)
    c.wait("READY")
    c.settle()
    c.hold()
    before = c.count()
    for i in range(60):
        c.resize(199 + i % 2, 60)
        a.wait_show("#{client_width}", str(199 + i % 2), "main:")
    a.ok("send-keys", "-t", "main", "-l", "newest")
    c.go()
    c.wait("newest")
    taken = c.count() - before
    assert taken < 250000, f"{taken} bytes"


def test_a_new_size_is_drawn_once(t):
    a = start(t, "bash", "-c", f"{FILL}; echo READY; cat", cols=200, rows=60)
    c = a.attach(cols=200, rows=60)
    c.wait("READY")
    sizes = []
    for i in range(5):
        c.settle(0.1)
        c.raw()
        c.resize(120 + i, 40)
        a.wait_show("#{client_width}", str(120 + i), "main:")
        c.wait("READY")
        c.settle(0.1)
        sizes.append(len(c.raw()))
    # A screen of text once, not that of the old size before it; the server may be late now and then.
    assert min(sizes) < 120 * 40, sizes


if __name__ == "__main__":
    main()
