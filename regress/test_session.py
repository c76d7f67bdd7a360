#!/usr/bin/env python3
"""Sessions, windows and panes from the command line: made, listed, found, ended."""
import os
import re
import subprocess

from harness import AMUX, alive, contains, equal, main, wait_for


def test_a_detached_session_is_made_and_listed_with_the_default_line(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "work", "-x", "100", "-y", "30")
    line = a.ok("ls").rstrip("\n")
    assert re.fullmatch(r"work: 1 windows \(created \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\)", line), line
    equal(a.show("#{session_name}:#{window_width}x#{window_height}:#{session_attached}"), "work:100x30:0")


def test_no_server_is_said_with_the_path_and_exit_1(t):
    a = t.amux()
    for words in (["ls"], ["has-session", "-t", "x"], ["kill-server"], ["list-panes"], ["send-keys", "x"]):
        err = a.fails(*words)
        equal(err, f"no server running on {a.dir}/amux-{os.getuid()}/test", " ".join(words))


def test_has_session_tells_by_its_exit_code(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "here")
    a.ok("has-session", "-t", "here")
    a.ok("has-session", "-t", "=here")
    equal(a.fails("has-session", "-t", "gone"), "can't find session: gone")
    equal(a.fails("has-session", "-t", "=her"), "can't find session: her")
    a.ok("has-session", "-t", "her")


def test_the_last_session_ends_the_server(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "one")
    pid = a.pid()
    a.ok("new-session", "-d", "-s", "two")
    a.ok("kill-session", "-t", "one")
    assert alive(pid)
    a.ok("kill-session", "-t", "two")
    wait_for(lambda: not alive(pid), 5, "server gone")


def test_a_program_that_ends_closes_its_pane_window_and_session(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "keep")
    a.ok("new-session", "-d", "-s", "w", "cat")
    a.ok("split-window", "-d", "-t", "w", "cat")
    a.ok("new-window", "-d", "-t", "w", "-n", "other", "cat")
    equal(a.ok("list-panes", "-s", "-t", "w", "-F", "#{window_index}.#{pane_index}"), "0.0\n0.1\n1.0\n")
    a.ok("send-keys", "-t", "w:0.1", "C-d")
    wait_for(lambda: a.ok("list-panes", "-s", "-t", "w", "-F", "#{window_index}.#{pane_index}") == "0.0\n1.0\n", 5, "pane closed")
    a.ok("send-keys", "-t", "w:0.0", "C-d")
    wait_for(lambda: a.ok("list-windows", "-t", "w", "-F", "#I:#W") == "1:other\n", 5, "window closed")
    a.ok("send-keys", "-t", "w:1", "C-d")
    wait_for(lambda: a.run("has-session", "-t", "=w")[0] == 1, 5, "session closed")


def test_the_last_output_of_a_program_that_exits_at_once_is_kept(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "s")
    a.ok("set-option", "-g", "remain-on-exit", "on")
    for n in range(10):
        a.ok("new-window", "-d", "-t", f"s:{n + 1}", f"seq 1 200; echo LAST-{n}")
    for n in range(10):
        a.wait_show("#{pane_dead}", "1", f"s:{n + 1}")
        text = a.capture(f"s:{n + 1}")
        contains(text, f"LAST-{n}")
        contains(text, "200")


def test_twenty_starts_at_once_make_one_server_and_one_winner(t):
    a = t.amux()
    procs = [subprocess.Popen(a.argv("new-session", "-d", "-s", "same"), env=a.env, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL) for _ in range(20)]
    results = [(p.communicate(timeout=60)[1].decode(), p.returncode) for p in procs]
    equal(sorted(r[1] for r in results), [0] + [1] * 19, str(results))
    equal({r[0] for r in results if r[1]}, {"duplicate session: same\n"})
    procs = [subprocess.Popen(a.argv("new-session", "-d", "-s", f"n{i}"), env=a.env, stdin=subprocess.DEVNULL) for i in range(20)]
    equal([p.wait(60) for p in procs], [0] * 20)
    equal(len(a.ok("ls").splitlines()), 21)

    def servers():
        found = []
        for p in a.processes():
            try:
                found += [p] if os.readlink(f"/proc/{p}/exe") == os.path.realpath(AMUX) else []
            except OSError:
                continue  # it ended meanwhile
        return found
    wait_for(lambda: len(servers()) == 1, 5, "one server")


def test_twenty_first_starts_on_a_clean_directory_all_succeed(t):
    a = t.amux()
    procs = [subprocess.Popen(a.argv("new-session", "-d", "-s", f"n{i}"), env=a.env, stdin=subprocess.DEVNULL) for i in range(20)]
    equal([p.wait(60) for p in procs], [0] * 20)
    equal(len(a.ok("ls").splitlines()), 20)


def test_after_a_killed_server_the_stale_socket_is_no_obstacle(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x")
    pid = a.pid()
    os.kill(pid, 9)
    wait_for(lambda: not alive(pid), 5, "server killed")
    contains(a.fails("ls"), "no server running on")
    a.ok("new-session", "-d", "-s", "y")
    equal(a.ok("ls", "-F", "#S"), "y\n")


def test_a_window_linked_into_two_sessions_has_an_index_in_each(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "a", "-n", "shared", "cat")
    a.ok("new-session", "-d", "-s", "b", "cat")
    a.ok("link-window", "-s", "a:0", "-t", "b:5")
    equal(a.ok("list-windows", "-t", "b", "-F", "#I:#W"), "0:cat\n5:shared\n")
    equal(a.show("#{window_id}", "a:0"), a.show("#{window_id}", "b:5"))
    a.ok("kill-session", "-t", "a")
    equal(a.ok("list-windows", "-t", "b", "-F", "#I:#W"), "0:cat\n5:shared\n")


def test_grouped_sessions_share_their_windows(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "a", "cat")
    a.ok("new-session", "-d", "-s", "b", "-t", "a")
    a.ok("new-window", "-d", "-t", "a", "-n", "both", "cat")
    equal(a.ok("list-windows", "-t", "b", "-F", "#I:#W"), "0:cat\n1:both\n")
    contains(a.ok("ls"), "(group a)")
    a.ok("select-window", "-t", "b:1")
    equal(a.show("#I", "a:"), "0")


def test_the_server_lives_in_a_directory_that_cannot_vanish(t):
    a = t.amux()
    doomed = os.path.join(a.dir, "doomed")
    os.mkdir(doomed)
    a.ok("new-session", "-d", "-s", "x", cwd=doomed)
    os.rmdir(doomed)
    equal(os.readlink(f"/proc/{a.pid()}/cwd"), "/")
    a.ok("new-window", "-d", "-c", "/tmp", "-t", "x:7", "pwd; cat")
    a.wait_capture("/tmp", "x:7")


def test_the_umask_of_panes_is_the_persons(t):
    a = t.amux()
    old = os.umask(0o002)
    try:
        a.ok("new-session", "-d", "-s", "x", "cat")
    finally:
        os.umask(old)
    a.ok("new-window", "-t", "x:1", "umask; mkdir d && touch d/f && echo MADE; cat")
    text = a.wait_capture("MADE", "x:1")
    contains(text, "0002")


def test_two_hundred_short_lived_windows_leave_no_zombie(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    pid = a.pid()
    for n in range(10):
        words = []
        for i in range(20):
            words += ["new-window", "-d", "-t", "x:", "true", ";"]
        a.ok(*words[:-1])

    def children():
        out = []
        for p in os.listdir("/proc"):
            if p.isdigit():
                try:
                    with open(f"/proc/{p}/stat") as f:
                        s = f.read().rsplit(")", 1)[1].split()
                    if int(s[1]) == pid:
                        out.append((int(p), s[0]))
                except OSError:
                    pass
        return out
    wait_for(lambda: len(children()) == 1, 15, "only cat is left")
    equal(a.ok("list-windows", "-t", "x").count("\n"), 1)


def test_a_closed_panes_program_is_gone_within_a_second(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    a.ok("new-window", "-d", "-t", "x:1", "yes > /dev/null")
    pid = int(a.show("#{pane_pid}", "x:1"))
    a.ok("kill-pane", "-t", "x:1")
    wait_for(lambda: not alive(pid), 4, "yes is gone")


def test_a_hangup_right_after_the_start_is_not_lost(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    log = os.path.join(a.dir, "log")
    script = os.path.join(a.dir, "trap.sh")
    with open(script, "w") as f:
        f.write(f"trap 'echo hup >> {log}; exit' HUP\necho up >> {log}.up\nwhile :; do read x || exit; done\n")
    for n in range(20):
        a.ok("new-window", "-d", "-t", "x:1", f"exec sh {script}")
        wait_for(lambda: os.path.exists(log + ".up") and open(log + ".up").read().count("up") == n + 1, 5, "script up")
        a.ok("kill-window", "-t", "x:1")
    wait_for(lambda: os.path.exists(log) and open(log).read().count("hup") == 20, 5, "every hang-up arrived")


def test_the_histories_together_stay_below_their_limit(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "cat")
    a.ok("set-option", "-s", "history-bytes-total", "1000000")
    a.ok("new-window", "-d", "-t", "x:1", "seq 1 2000; echo SMALL; cat")
    a.wait_capture("SMALL", "x:1")
    small = a.show("#{history_size}", "x:1")
    for n in (2, 3):
        a.ok("new-window", "-d", "-t", f"x:{n}", "seq 100000 160000; echo BIG; cat")
        a.wait_capture("BIG", f"x:{n}")
    sizes = [int(a.show("#{history_bytes}", f"x:{n}")) for n in (1, 2, 3)]
    assert sum(sizes) <= 1000000, sizes
    assert min(sizes[1:]) > 300000, f"the larger ones share what is left: {sizes}"
    equal(a.show("#{history_size}", "x:1"), small, "the small one is whole")
    a.ok("kill-window", "-t", "x:3")
    a.ok("new-window", "-d", "-t", "x:4", "seq 100000 160000; echo BIG; cat")
    a.wait_capture("BIG", "x:4")
    assert sum(int(a.show("#{history_bytes}", f"x:{n}")) for n in (1, 2, 4)) <= 1000000


def test_a_lower_history_limit_takes_no_lines_from_panes_that_are_there(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "x", "-y", "24", "seq 1 500; cat")
    a.wait_capture("500", "x")
    before = a.show("#{history_size}", "x")
    a.ok("set-option", "-g", "history-limit", "10")
    equal(a.show("#{history_size}", "x"), before)
    a.ok("new-window", "-d", "-t", "x:1", "seq 1 500; echo END; cat")
    a.wait_capture("END", "x:1")
    equal(a.show("#{history_size} #{history_limit}", "x:1"), "10 10")


if __name__ == "__main__":
    main()
