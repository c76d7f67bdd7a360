#!/usr/bin/env python3
"""Attached clients: the way in, what is drawn, keys, and every way out."""
import os
import re
import signal
import time

from harness import alive, contains, equal, is_sanitized, main, SLOW, Terminal, wait_for

OFF = {"alternate screen": b"\x1b[?1049l", "bracketed paste": b"\x1b[?2004l"}
MODES_APP = r"printf '\033[?1049h\033[?1003h\033[?1006h\033[?2004h\033[?25l\033[4 q\033[?1004h\033='; echo READY; cat"


def start(t, *command, cols=80, rows=24, **kw):
    """A session with a shell whose prompt is "$ ", or with `command` (one word goes through the shell)."""
    a = t.amux(**kw)
    a.ok("new-session", "-d", "-s", "main", "-x", str(cols), "-y", str(rows), *(command or ("bash", "--norc")))
    return a


def test_a_session_is_shown_with_its_status_line_and_takes_keys(t):
    a = start(t)
    c = a.attach()
    rows = c.wait("$")
    contains(rows[23], "[main] 0:bash*")
    assert re.search(r"\d\d:\d\d", rows[23]), rows[23]
    c.send("echo he''llo\r")
    c.wait("\nhello")
    equal(a.show("#{session_attached}"), "1")
    contains(a.ok("ls"), "(attached)")


def test_plain_amux_makes_a_session_and_exit_ends_it(t):
    a = t.amux()
    c = a.attach("new-session")
    c.wait("[0] 0:bash*")
    c.send("exit\r")
    equal(c.exit(), 0)
    contains(c.text(), "[exited]")


def test_detaching_says_so_and_the_session_lives_on(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("\x02d")
    equal(c.exit(), 0)
    contains(c.text(), "[detached (from session main)]")
    assert c.termios_same()
    assert not c.state()["alternate"]
    a.ok("has-session", "-t", "main")
    contains(a.ok("ls"), "main: 1 windows")
    equal(a.show("#{session_attached}"), "0")


def check_restored(c):
    out = c.raw()
    for what, seq in OFF.items():
        assert seq in out, f"{what} is not put off"
    for on, off in ((b"\x1b[?1003h", b"\x1b[?1003l"), (b"\x1b[?1002h", b"\x1b[?1002l"), (b"\x1b[?1000h", b"\x1b[?1000l"),
                    (b"\x1b[?1006h", b"\x1b[?1006l"), (b"\x1b[?1004h", b"\x1b[?1004l"), (b"\x1b[?25l", b"\x1b[?25h"),
                    (b"\x1b[4 q", b" q"), (b"\x1b[?2004h", b"\x1b[?2004l"), (b"\x1b[?1h", b"\x1b[?1l"),
                    (b"\x1b[?1049h", b"\x1b[?1049l")):
        if on in out:
            assert out.rfind(off) > out.rfind(on), f"{on!r} is left on"
    assert c.termios_same(), "line settings differ"
    c.screen()
    assert c.cursor[2], "the cursor is hidden"
    assert not c.state()["alternate"], "still on the alternate screen"
    equal(c.state()["mouse"], 0)


def test_the_terminal_is_as_before_after_every_way_out(t):
    ways = {
        "detach": (lambda a, c: a.ok("detach-client", "-s", "main"), 0, "[detached (from session main)]"),
        "last pane ends": (lambda a, c: a.ok("kill-session", "-t", "main"), 0, "[exited]"),
        "kill-server": (lambda a, c: a.run("kill-server"), 1, "[server exited]"),
        "server killed": (lambda a, c: os.kill(a.pid(), signal.SIGKILL), 1, "server"),
        "detach with a command": (lambda a, c: a.ok("detach-client", "-E", "echo in-its-place", "-s", "main"), 0,
                                  "in-its-place"),
        "SIGTERM": (lambda a, c: c.signal(signal.SIGTERM), None, "[terminated]"),
        "SIGHUP": (lambda a, c: c.signal(signal.SIGHUP), None, ""),
        "crash": (lambda a, c: c.signal(signal.SIGSEGV), None, ""),
    }
    for way, (act, code, said) in ways.items():
        a = start(t, MODES_APP)
        a.ok("set-option", "-g", "mouse", "on")
        c = a.attach()
        c.wait("READY")
        c.wait(lambda rows: c.state()["mouse"] > 0)
        act(a, c)
        got = c.exit()
        if code is not None:
            equal(got, code, way)
        try:
            check_restored(c)
            contains(c.text(), said)
        except AssertionError as e:
            raise AssertionError(f"after {way}: {e}")


def test_nesting_is_refused_with_the_way_to_force_it(t):
    a = start(t)
    c = a.attach(cols=160)
    c.wait("$")
    for words in (("new-session",), ("attach",)):
        c.send(f"clear; {' '.join(a.argv(*words))}; echo code=$?\r")
        rows = c.wait("code=1")
        contains("\n".join(rows), "sessions should be nested with care, unset $AMUX to force")
    c.send(f"clear; AMUX= {' '.join(a.argv('new-session', '-d', '-s', 'inner'))}; echo code=$?\r")
    c.wait("code=0")
    a.ok("has-session", "-t", "=inner")


def test_terminals_that_cannot_be_used_are_refused_with_a_sentence(t):
    a = start(t)
    for term, part in (("dumb", "dumb"), (None, "TERM"), ("no-such-terminal", "no-such-terminal")):
        c = a.attach(env={"TERM": term})
        equal(c.exit(), 1, str(term))
        contains(c.text(), "open terminal failed")
        contains(c.text(), part)
    for words in (["attach"], ["new-session", "-s", "z"]):
        err = a.fails(*words)
        equal(err, "open terminal failed: not a terminal")
    equal(a.ok("ls", "-F", "#S"), "main\n")


def test_each_kind_of_terminal_shows_the_session(t):
    a = start(t, "printf 'plain \\033[1mbold\\033[0m \\033[31mred\\033[0m end\\n'; cat")
    a.ok("split-window", "-d", "-h", "-t", "main", "cat")
    for term in ("xterm-256color", "xterm-kitty", "xterm-ghostty", "screen-256color", "tmux-256color", "linux", "vt100"):
        c = a.attach(env={"TERM": term})
        c.wait("plain bold red end")
        c.wait("[main] 0:")
        c.send("\x02d")
        equal(c.exit(), 0, term)
        contains(c.text(), "[detached (from session main)]")


def test_windows_and_panes_by_the_default_keys(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("\x02c")
    c.wait("1:bash*")
    c.send("\x02%")
    wait_for(lambda: a.show("#{window_panes}", "main:1") == "2", 5, "split")
    c.wait(lambda rows: "\u2502" in rows[10])
    c.send('\x02"')
    wait_for(lambda: a.show("#{window_panes}", "main:1") == "3", 5, "split again")
    equal(a.show("#{pane_index}", "main:1"), "2")
    c.send("\x02\x1b[D")
    a.wait_show("#{pane_index}", "0", "main:1")
    c.send("\x02o")
    a.wait_show("#{pane_index}", "1", "main:1")
    c.send("\x02z")
    a.wait_show("#{window_zoomed_flag}", "1", "main:1")
    c.wait("1:bash*Z")
    c.wait(lambda rows: not any("\u2502" in r for r in rows))
    c.send("\x02z")
    a.wait_show("#{window_zoomed_flag}", "0", "main:1")
    c.send("\x02p")
    a.wait_show("#{window_index}", "0", "main:")
    c.send("\x02n")
    a.wait_show("#{window_index}", "1", "main:")
    c.send("\x02l")
    a.wait_show("#{window_index}", "0", "main:")
    c.send("\x021")
    a.wait_show("#{window_index}", "1", "main:")
    c.send("\x02x")
    c.wait("kill-pane")
    c.send("y")
    wait_for(lambda: a.show("#{window_panes}", "main:1") == "2", 5, "pane killed")
    c.send("\x02&")
    c.wait("kill-window")
    c.send("n")
    c.wait_gone("kill-window")
    equal(a.show("#{session_windows}"), "2")
    c.send("\x02,")
    c.wait("(rename-window)")
    c.send("\x15renamed\r")
    c.wait("1:renamed*")
    c.send("\x02:")
    c.wait(lambda rows: rows[23].startswith(":"))
    c.send("rename-session other\r")
    c.wait("[other]")
    c.send("\x02:nonsense-command\r")
    c.wait("nknown command: nonsense-command")
    c.send("\x02?")
    c.wait("Rename the session")
    c.send("q")
    c.wait("[other]")


def test_the_prompt_shows_what_is_typed_and_completes(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("\x02:")
    c.wait(lambda rows: rows[23] == ":")
    c.send("display-message '#{session_name} ## #[bold]'")
    rows = c.wait("bold")
    equal(rows[23], ":display-message '#{session_name} ## #[bold]'")
    equal(c.cursor[0], len(rows[23]))
    c.send("\x15set -g status-left-\t")
    rows = c.wait("status-left-style")
    equal(rows[23], ":set -g status-left- (status-left-length status-left-style)")
    equal(c.cursor[0], len(":set -g status-left-"))
    c.send("\x03")
    c.wait("[main]")


def test_two_clients_of_different_size_see_the_same_session(t):
    a = start(t)
    c1 = a.attach(cols=100, rows=30)
    c1.wait("$")
    c1.send("stty size\r")
    c1.wait("29 100")
    c2 = a.attach(cols=60, rows=20, term="screen-256color")
    c2.wait("[main]")
    c2.send("clear; stty size\r")
    c2.wait("19 60")
    c1.wait("19 60")
    c1.send("clear; stty size\r")
    c1.wait("29 100")
    equal(a.ok("list-clients", "-F", "#{client_width}x#{client_height} #{client_termname}").split("\n")[:2],
          ["100x30 xterm-256color", "60x20 screen-256color"])


def test_the_next_attach_shows_the_same_screen_cell_by_cell(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("printf '\\033[2J\\033[H\\033[1;31mred\\033[0m \\033[44mblue\\033[0m \\xe6\\xa9\\x8b \\033[4munder\\033[0m\\033[10;20Hhere\\033[?25l'; cat\r")
    c.wait("here")
    c.settle()
    rows, cursor = c.screen(), c.cursor
    # A space and a cell that nothing was written to look the same, and depend on the way it was drawn.
    seen = lambda t, y: [(text or " ", *rest) for text, *rest in t.cells(y)]
    cells = [seen(c, y) for y in range(23)]
    c.signal(signal.SIGKILL)
    wait_for(lambda: a.show("#{session_attached}") == "0", 5, "the client went")
    d = a.attach()
    d.wait("here")
    d.settle()
    equal(d.screen()[:23], rows[:23])
    equal(d.cursor[2], cursor[2], "cursor shown")
    for y in range(23):
        equal(seen(d, y), cells[y], f"row {y}")


def test_a_stopped_client_blocks_nobody_and_comes_back_to_the_newest_screen(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("while :; do echo 0123456789 0123456789 0123456789; done\r")
    c.wait("0123456789 0123456789")
    c.signal(signal.SIGSTOP)
    pid = a.pid()

    def rss():
        with open(f"/proc/{pid}/status") as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1))
    d = a.attach()
    d.wait("0123456789 0123456789")
    before = None
    end = time.monotonic() + 4
    while time.monotonic() < end:
        started = time.monotonic()
        a.ok("ls")
        assert time.monotonic() - started < 2 * SLOW, "ls waits for the stopped client"
        if before is None and time.monotonic() > end - 3:
            before = rss()
    # History fills up to its bounds meanwhile; a client's backlog would be far more.
    assert is_sanitized() or rss() - before < 40000, f"grew from {before} to {rss()} kB"
    d.send("\x03")
    d.send("clear; echo NEW''EST\r")
    d.wait("NEWEST")
    c.signal(signal.SIGCONT)
    c.wait("NEWEST")


def test_ctrl_c_stops_a_flood_at_once_with_a_slow_reader(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    c.send("yes 0123456789\r")
    c.wait("0123456789\n0123456789")
    c.hold()
    time.sleep(1)
    c.send("\x03")
    c.go()
    c.send("echo DO''NE\r")
    c.wait("DONE", 5)


def test_the_size_follows_a_storm_of_resizes(t):
    a = start(t)
    c = a.attach(cols=80, rows=24)
    c.wait("$")
    a.ok("split-window", "-d", "-h", "-t", "main", "cat")
    a.ok("split-window", "-d", "-v", "-t", "main", "cat")
    for n in range(300):
        c.resize(40 + (n * 7) % 90, 10 + (n * 5) % 30)
    c.resize(101, 33)
    a.wait_show("#{window_width}x#{window_height}", "101x32", "main:")
    sizes = [tuple(map(int, l.split())) for l in a.ok("list-panes", "-F", "#{pane_width} #{pane_height}").splitlines()]
    equal(sizes[0][0] + sizes[2][0] + 1, 101)
    equal(sizes[0][1] + sizes[1][1] + 1, 32)
    a.ok("kill-pane", "-a", "-t", "main:0.0")
    c.send("clear; stty size\r")
    c.wait("32 101")


def test_a_tiny_terminal_works_or_says_too_small(t):
    a = start(t)
    for cols, rows in ((1, 1), (2, 2), (3, 1), (10, 3)):
        c = a.attach(cols=cols, rows=rows)
        wait_for(lambda: a.show("#{session_attached}") == "1" or not alive(c.pid()), 5, "attached")
        code, _, err = a.run("split-window", "-d", "-t", "main", "cat")
        assert code == 0 or err == "no space for new pane\n", err
        c.signal(signal.SIGTERM)
        c.exit()
    a.ok("has-session", "-t", "main")


def test_suspend_gives_the_terminal_back_and_resume_draws_again(t):
    a = start(t)
    c = Terminal(["bash", "--norc", "-i"], env=dict(a.env, PS1="outer> "))
    a.terminals.append(c)
    c.wait("outer>")
    c.send(" ".join(a.argv("attach-session")) + "\r")
    c.wait("[main] 0:bash*")
    c.send("\x02\x1a")
    c.wait("Stopped")
    assert not c.state()["alternate"]
    c.send("echo out''side\r")
    c.wait("outside")
    c.send("fg\r")
    c.wait("[main] 0:bash*")
    assert c.state()["alternate"]
    c.send("echo in''side\r")
    c.wait("inside")


def test_attach_with_d_sends_the_other_client_away(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    d = a.attach("attach-session", "-d")
    d.wait("[main]")
    equal(c.exit(), 0)
    contains(c.text(), "[detached (from session main)]")


def test_a_read_only_client_cannot_type(t):
    a = start(t, "cat")
    c = a.attach("attach-session", "-r")
    c.wait("[main]")
    c.send("forbidden\r")
    d = a.attach()
    d.wait("[main]")
    d.send("allowed\r")
    d.wait("allowed")
    assert "forbidden" not in d.text()
    c.send("\x02d")
    equal(c.exit(), 0)


def test_scrollback_search_and_copy_reach_a_buffer_and_the_clipboard(t):
    a = start(t, "seq 1 200; echo needle-in-line; seq 201 300; cat")
    c = a.attach()
    c.wait("300")
    c.send("\x02[")
    c.wait(re.compile(r"\[0/\d+\]"))
    c.send("\x1b[5~\x1b[5~")
    c.wait(re.compile(r"\[4\d/\d+\]"))
    c.send("q")
    c.wait_gone("/2")
    c.send("\x02[")
    c.wait(re.compile(r"\[0/\d+\]"))
    c.send("\x12")  # emacs keys: C-r searches backward
    c.wait("(search up)")
    c.send("needle\r")
    c.wait("needle-in-line")
    c.raw()
    c.send("\x00\x05\x1bw")  # C-Space, C-e, M-w
    wait_for(lambda: a.run("show-buffer")[1] == "needle-in-line", 5, f"buffer is {a.run('show-buffer')!r}")
    c.changed(500)
    contains(c.raw().decode(errors="replace"), "\x1b]52;")


def test_the_wheel_scrolls_into_history_with_mouse_on(t):
    a = start(t, "seq 1 300; cat")
    a.ok("set-option", "-g", "mouse", "on")
    c = a.attach()
    c.wait("300")
    c.wait(lambda rows: c.state()["mouse"] > 0)
    c.send("\x1b[<64;10;10M" * 3)
    c.wait(re.compile(r"\[\d+/\d+\]"))
    equal(a.show("#{pane_in_mode}"), "1")
    c.send("\x1b[<65;10;10M" * 10)
    a.wait_show("#{pane_in_mode}", "0")


if __name__ == "__main__":
    main()
