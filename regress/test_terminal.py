#!/usr/bin/env python3
"""The client and its terminal: clicks, pastes, answers, links, clipboard, titles, sizes; looked at as raw bytes."""
import os
import re
import signal
import time

from harness import SLOW, alive, contains, equal, main, wait_for


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


if __name__ == "__main__":
    main()
