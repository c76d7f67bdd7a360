#!/usr/bin/env python3
"""The start: what a person without a configuration is told, and in what surroundings programs find themselves."""
import os
import re
import time

from harness import SLOW, contains, equal, main, wait_for

GREETING = "amux 0.1 · C-b ? keys · C-b d detach"


def without_config(a):
    """argv() without -f: no file of the person's or of the host's is there."""
    if os.path.exists("/usr/local/etc/amux.conf") or os.path.exists("/etc/amux.conf"):
        from harness import Skip
        raise Skip("this host has a configuration of its own")
    a.argv = lambda *args: [__import__("harness").AMUX, "-L", a.label] + list(args)


def test_the_first_session_of_a_new_server_says_how_to_go_on(t):
    a = t.amux()
    without_config(a)
    term = a.attach("new-session", "-s", "one")
    term.wait(GREETING)
    began = time.monotonic()
    term.wait_gone(GREETING, 12)
    if SLOW == 1:
        assert time.monotonic() - began > 8, "it went too soon"
    term.send(b"\x02d")
    equal(term.exit(), 0)
    # Once: a second session, and a second attach, say nothing.
    again = a.attach("new-session", "-s", "two")
    again.wait("[two]")
    again.send("echo there$((1+1))\r")
    again.wait("there2")
    assert GREETING not in again.text()


def test_a_key_ends_the_first_words_and_is_typed(t):
    a = t.amux()
    without_config(a)
    term = a.attach("new-session")
    term.wait(GREETING)
    term.send("echo typed$((1+1))\r")
    term.wait("typed2")
    term.wait_gone(GREETING, 2)


def test_who_has_a_configuration_is_told_nothing(t):
    a = t.amux(config="set -g status-left '<mine>'\n")
    term = a.attach("new-session")
    term.wait("<mine>")
    term.send("echo there$((1+1))\r")
    term.wait("there2")
    assert GREETING not in term.text()


def test_a_terminal_without_an_entry_is_taken_as_xterm_and_said_once(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x")
    term = a.attach("attach-session", term="xterm-nobody-knows")
    term.wait("TERM xterm-nobody-knows has no entry here, taken as xterm-256color")
    term.wait("[x]", 6)  # the status line comes back by itself
    term.wait_gone("taken as")
    equal(a.show("#{client_termname}"), "xterm-nobody-knows")
    # Another one, and a key ends it.
    other = a.attach("attach-session", term="xterm-nobody-knows")
    other.wait("taken as")
    other.send("echo typed$((1+1))\r")
    other.wait("typed2")
    other.wait_gone("taken as", 2)


def test_a_directory_that_cannot_be_entered_is_told_to_who_asked(t):
    a = t.amux()
    told = "cannot enter /nowhere/at all: started in the home directory"
    equal(a.run("new-session", "-d", "-s", "x", "-c", "/nowhere/at all", "pwd; cat"), (0, "", told + "\n"))
    a.wait_capture(a.home, "x:0")
    equal(a.run("new-window", "-d", "-c", "/nowhere/at all", "-t", "x:1", "pwd; cat"), (0, "", told + "\n"))
    equal(a.run("split-window", "-d", "-c", "/nowhere/at all", "-t", "x:1", "pwd; cat"), (0, "", told + "\n"))
    a.wait_capture(a.home, "x:1.1")
    term = a.attach("attach-session")
    term.wait("[x]")
    term.send(b"\x02:")
    term.wait(":")
    term.send("new-window -c '/nowhere/at all' 'pwd; cat'\r")
    term.wait(told)
    shown = a.attach("new-session", "-s", "y", "-c", "/nowhere/at all")
    shown.wait(told)


FOREIGN = """TMUX=/tmp/x,1,0 TMUX_PANE=%7 STY=1.x WINDOW=3 ZELLIJ=0 ZELLIJ_SESSION_NAME=z KITTY_WINDOW_ID=1 KITTY_PID=2
WEZTERM_PANE=0 ALACRITTY_LOG=x VTE_VERSION=7000 KONSOLE_VERSION=1 ITERM_SESSION_ID=a LC_TERMINAL=iTerm2 TERM_SESSION_ID=b
WT_SESSION=c GHOSTTY_BIN_DIR=d WINDOWID=5 COLORFGBG=0;15 LINES=10 COLUMNS=20 CLAUDECODE=1 CLAUDE_CODE_ENTRYPOINT=cli
CLAUDE_CODE_SESSION_ID=x CODEX_SANDBOX=seatbelt GEMINI_CLI=1 CURSOR_AGENT=1 AMUX_PANE=%9 AMUX_REEXEC=1 HERDR_PANE=1
TERM_PROGRAM=ghostty""".split()
KEPT = """CLAUDE_CONFIG_DIR=/c ANTHROPIC_MODEL=m CODEX_HOME=/h EDITOR=vi KITTY_CONFIG_DIRECTORY=/k TMUX_TMPDIR=/t
PERSONS_OWN=1""".split()


def environment_of(pid):
    with open(f"/proc/{pid}/environ", "rb") as f:
        return dict(e.split("=", 1) for e in f.read().decode().split("\0") if "=" in e)


def test_programs_get_amuxs_variables_and_nobody_elses(t):
    a = t.amux()
    foreign = dict(e.split("=", 1) for e in FOREIGN)
    kept = dict(e.split("=", 1) for e in KEPT)
    a.ok("new-session", "-d", "-s", "x", "exec cat", env={**foreign, **kept, "TERM": "foot", "COLORTERM": "x"})
    # A second client's variables count as little as those of the one that started the server.
    a.ok("new-session", "-d", "-s", "y", "exec cat", env={**foreign, **kept, "TERM": "foot", "AMUX": "junk"})
    for session in ("x", "y"):
        env = environment_of(int(a.show("#{pane_pid}", session)))
        equal(env["TERM"], "xterm-256color")
        equal(env["COLORTERM"], "truecolor")
        equal(env["TERM_PROGRAM"], "amux")
        equal(env["TERM_PROGRAM_VERSION"], "0.1")
        equal(env["AMUX"], a.show("#{socket_path},#{pid},", session) + a.show("#{session_id}", session)[1:])
        equal(env["AMUX_PANE"], a.show("#{pane_id}", session))
        for name in foreign:
            if name not in ("AMUX_PANE", "TERM_PROGRAM"):
                assert name not in env, f"{name}={env.get(name)} in session {session}"
        for name, value in kept.items():
            if session == "x":
                equal(env.get(name), value, name)


def test_programs_have_clean_signals_and_no_stray_descriptors(t):
    a = t.amux()
    read, write = os.pipe()
    os.set_inheritable(read, True)
    code = ("import os,signal,subprocess,sys;signal.signal(signal.SIGINT,signal.SIG_IGN);"
            "signal.signal(signal.SIGHUP,signal.SIG_IGN);signal.signal(signal.SIGCHLD,signal.SIG_IGN);"
            "signal.pthread_sigmask(signal.SIG_BLOCK,[signal.SIGTERM,signal.SIGWINCH,signal.SIGUSR1]);"
            "os.execv(sys.argv[1],sys.argv[1:])")
    import subprocess
    r = subprocess.run(["python3", "-c", code] + a.argv("new-session", "-d", "-s", "x", "exec cat"), env=a.env,
                       close_fds=False, capture_output=True, text=True, cwd=a.home)
    equal((r.returncode, r.stdout, r.stderr), (0, "", ""))
    os.close(read)
    os.close(write)
    a.ok("split-window", "-d", "-t", "x", "exec cat")
    for pid in a.ok("list-panes", "-t", "x", "-F", "#{pane_pid}").split():
        with open(f"/proc/{pid}/status") as f:
            status = f.read()
        for field in ("SigBlk", "SigIgn"):
            # 32 and 33 are the C library's own; its posix_spawn(), which make uses, ignores them.
            signals = int(re.search(rf"{field}:\s*(\w+)", status).group(1), 16) & ~(3 << 31)
            equal(signals, 0, field)
        equal(sorted(os.listdir(f"/proc/{pid}/fd"), key=int), ["0", "1", "2"])
        for fd in "012":
            contains(os.readlink(f"/proc/{pid}/fd/{fd}"), "/dev/pts/")
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        equal((fields[2], fields[3]), (pid, pid), "its own group and session")
    # The server has its own session, and nothing of the caller's either.
    server = a.pid()
    with open(f"/proc/{server}/stat") as f:
        equal(f.read().rsplit(")", 1)[1].split()[3], str(server), "the server's session")
    for fd in os.listdir(f"/proc/{server}/fd"):
        link = os.readlink(f"/proc/{server}/fd/{fd}")
        assert not link.startswith("pipe:") or int(fd) > 2, f"descriptor {fd} of the server is {link}"


def test_display_message_formats_see_only_clients_that_are_attached(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    equal(a.show("<#{client_name}>"), "<>")
    term = a.attach("attach-session")
    term.wait("[x]")
    contains(a.show("<#{client_name}>"), "</dev/pts/")


def test_a_message_can_be_kept_or_left_literal(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x")
    equal(a.ok("display-message", "-p", "-l", "#{session_name} %H"), "#{session_name} %H\n")
    term = a.attach("attach-session")
    term.wait("[x]")
    a.ok("display-message", "-N", "-d", "1500", "stays here")
    term.wait("stays here")
    term.send("echo typed$((1+1))\r")
    term.wait("typed2")
    contains(term.text(), "stays here")
    term.wait_gone("stays here", 4)
    a.ok("display-message", "-d", "0", "goes at a key")
    term.wait("goes at a key")
    term.send("x")
    term.wait_gone("goes at a key", 4)
    contains(a.fails("display-message", "-v", "x"), "display-message")


def test_display_message_fills_an_empty_pane(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    equal(a.fails("display-message", "-I", "-t", "x"), "pane is not empty")
    pane = a.ok("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "x", "").strip()
    a.ok("display-message", "-I", "-t", pane, stdin=b"one\ntwo\n")
    wait_for(lambda: a.capture(pane).startswith("one\ntwo\n"), 5, "the pane has the text")


def test_terminal_features_are_taken_at_once(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", r"printf '\033[38;2;1;2;3mcolour\033[m'; exec cat")
    term = a.attach("attach-session", term="screen-256color", env={"COLORTERM": None})
    term.wait("colour")
    assert b"38;2;1;2;3" not in term.raw()
    a.ok("set-option", "-as", "terminal-features", ",screen*:RGB")
    a.ok("refresh-client", "-t", a.ok("list-clients", "-F", "#{client_name}").strip())
    wait_for(lambda: b"38;2;1;2;3" in term.raw(), 5, "true colour is used")


def test_the_cursor_and_the_alternate_screen_follow_their_options(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x")
    term = a.attach("attach-session")
    term.wait("[x]")
    a.ok("set-option", "-g", "cursor-style", "bar")
    wait_for(lambda: term.state()["shape"] == 3 or b"\x1b[6 q" in term.raw(), 5, "the cursor is a bar")
    a.ok("set-option", "-g", "cursor-colour", "#ff8000")
    wait_for(lambda: b"\x1b]12;" in term.raw(), 5, "the cursor has its colour")
    a.ok("set-option", "-w", "alternate-screen", "off")
    term.send("clear; printf 'before\\n\\033[?1049hinside\\033[?1049l\\nafter\\n'\r")
    term.wait("before\ninside\nafter")
    equal(a.show("#{alternate_on}"), "0")


if __name__ == "__main__":
    main()
