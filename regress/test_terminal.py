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
    wait_for(lambda: c.changed(50) and b"\x1b[5n" in c.raw(), 10, "it is asked again")


if __name__ == "__main__":
    main()
