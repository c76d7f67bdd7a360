#!/usr/bin/env python3
"""Commands of the command line and of attached clients: what they print, change and refuse."""
import json
import os
import re

from harness import contains, equal, main, wait_for


def start(t, *more):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main", "-n", "one", "-x", "80", "-y", "23", "cat")
    for words in more:
        a.ok(*words)
    return a


def shown(a, *more):
    """An attached client, and what it shows."""
    c = a.attach("attach-session", *more)
    c.wait("[main]")
    wait_for(lambda: a.ok("list-clients", "-F", "x"), 10, "attached")
    return c


def test_default_lines_of_lists_are_tmuxs(t):
    a = start(t, ["split-window", "-d", "cat"])
    equal(a.ok("list-windows"), "0: one* (2 panes) [80x23] [layout " + a.show("#{window_layout}") + "] @0 (active)\n")
    equal(a.ok("list-windows", "-a"), "main:0: one* (2 panes) [80x23] \n")
    for flag, prefix in (((), ""), (("-s",), "0."), (("-a",), "main:0.")):
        lines = a.ok("list-panes", *flag).split("\n")
        want = re.escape(prefix) + r"0: \[80x11\] \[history 0/\d+, \d+ bytes\] %0 \(active\)"
        assert re.fullmatch(want, lines[0]), lines
        assert re.fullmatch(re.escape(prefix) + r"1: \[80x11\] \[history 0/\d+, \d+ bytes\] %1", lines[1]), lines
    a.ok("set-buffer", "hello\tthere")
    equal(a.ok("list-buffers"), 'buffer0: 11 bytes: "hello\\tthere"\n')
    equal(a.ok("list-commands", "ls"), "list-sessions (ls) [-F format] [-f filter]\n")
    equal(a.ok("list-keys", "-T", "prefix", "c"), "bind-key -T prefix c new-window\n")
    equal(a.ok("list-sessions", "-f", "#{==:#{session_name},other}"), "")


def test_new_windows_take_the_place_they_are_given(t):
    a = start(t)
    equal(a.fails("new-window", "-t", "main:0"), "create window failed: index 0 in use")
    equal(a.ok("new-window", "-d", "-P", "-n", "two", "cat"), "main:1.0\n")
    equal(a.ok("new-window", "-d", "-a", "-t", ":0", "-P", "-F", "#I", "-n", "between", "cat"), "1\n")
    equal(a.ok("list-windows", "-F", "#I:#W"), "0:one\n1:between\n2:two\n")
    a.ok("new-window", "-k", "-t", ":2", "-n", "instead", "cat")
    equal(a.ok("list-windows", "-F", "#I:#W#F"), "0:one-\n1:between\n2:instead*\n")
    equal(a.ok("new-window", "-S", "-n", "one"), "")
    equal(a.show("#I"), "0")


def test_linked_and_moved_windows_keep_their_identity(t):
    a = start(t, ["new-window", "-d", "-n", "two", "cat"], ["new-session", "-d", "-s", "b", "-n", "b", "cat"])
    a.ok("link-window", "-d", "-s", "main:1", "-t", "b:5")
    equal(a.fails("link-window", "-s", "main:1", "-t", "b:5"), "same index: 5")
    equal(a.fails("link-window", "-s", "main:0", "-t", "b:5"), "index in use: 5")
    equal(a.fails("unlink-window", "-t", "main:0"), "window only linked to one session")
    a.ok("unlink-window", "-t", "main:1")
    a.ok("move-window", "-r", "-t", "b")
    equal(a.ok("list-windows", "-t", "b", "-F", "#I:#W"), "0:b\n1:two\n")
    equal(a.fails("move-window", "-s", "b:1", "-t", "b:1"), "same index: 1")
    a.ok("move-window", "-s", "b:1", "-t", "b:7")
    equal(a.ok("list-windows", "-t", "b", "-F", "#I:#W#F"), "0:b-\n7:two*\n")


def test_panes_are_split_swapped_rotated_and_resized(t):
    a = start(t)
    equal(a.ok("split-window", "-P", "-F", "#{pane_id}", "-l", "5", "cat"), "%1\n")
    a.ok("split-window", "-h", "-b", "-t", "%0", "-l", "25%", "cat")
    places = "#{pane_index} #{pane_id} #{pane_left},#{pane_top} #{pane_width}x#{pane_height}"
    equal(a.ok("list-panes", "-F", places), "0 %2 0,0 20x17\n1 %0 21,0 59x17\n2 %1 0,18 80x5\n")
    a.ok("swap-pane", "-s", "%2", "-t", "%1")
    equal(a.ok("list-panes", "-F", places), "0 %1 0,0 20x17\n1 %0 21,0 59x17\n2 %2 0,18 80x5\n")
    a.ok("rotate-window")
    equal(a.ok("list-panes", "-F", places), "0 %0 0,0 20x17\n1 %2 21,0 59x17\n2 %1 0,18 80x5\n")
    a.ok("resize-pane", "-t", "%0", "-R", "5")
    equal(a.show("#{pane_width}", "%0"), "25")
    a.ok("resize-pane", "-Z", "-t", "%1")
    equal(a.show("#{window_zoomed_flag} #{pane_width}x#{pane_height}", "%1"), "1 80x23")
    a.ok("select-pane", "-t", "%0")
    equal(a.show("#{window_zoomed_flag} #{pane_id}"), "0 %0")
    equal(a.fails("split-window", "-l", "x"), "lines invalid")
    equal(a.fails("resize-pane", "-x", "abc"), "width invalid")
    equal(a.fails("resize-pane", "-R", "abc"), "adjustment invalid")
    a.ok("kill-pane", "-a", "-t", "%0")
    equal(a.ok("list-panes", "-F", "#{pane_id}"), "%0\n")


def test_what_a_command_makes_is_what_the_next_one_means(t):
    a = start(t)
    out = a.ok("new-window", "cat", ";", "split-window", "cat", ";", "display-message", "-p", "#I.#P")
    equal(out, "1.1\n")


def test_keys_are_typed_by_name_literally_in_hex_and_repeated(t):
    a = start(t)
    a.ok("send-keys", "abc", "Space", "-", "Enter")
    a.ok("send-keys", "-l", "Enter\\;")
    a.ok("send-keys", "-N", "3", "z")
    a.ok("send-keys", "-H", "41", "c3", "a9", "0a")
    a.wait_capture("Enter;zzzAé\nEnter;zzzAé")
    contains(a.capture(), "abc -\nabc -\n")
    equal(a.fails("send-keys", "-X", "cancel"), "not in a mode")
    equal(a.fails("send-keys", "-N", "x", "a"), "repeat count invalid")
    a.ok("copy-mode")
    equal(a.show("#{pane_in_mode}"), "1")
    a.ok("send-keys", "q")
    a.wait_show("#{pane_in_mode}", "0")


def test_bindings_are_made_listed_and_removed(t):
    a = start(t)
    equal(a.fails("bind-key", "zork", "new-window"), "unknown key: zork")
    equal(a.fails("bind-key", "x", "nosuch"), "unknown command: nosuch")
    equal(a.fails("unbind-key", "-a", "x"), "key given with -a")
    equal(a.fails("list-keys", "-T", "nope"), "table nope doesn't exist")
    a.ok("bind-key", "-r", "-N", "a note", "M-x", "display-message", "-p", "a b", "\\;", "kill-pane")
    equal(a.ok("list-keys", "-T", "prefix", "M-x"), 'bind-key -r -T prefix M-x display-message -p "a b" \\; kill-pane\n')
    equal(a.ok("list-keys", "-N", "M-x"), "C-b M-x a note\n")
    equal(a.ok("list-keys", "-N", "-P", "> ", "M-x"), "> M-x a note\n")
    a.ok("bind-key", "-T", "mine", "z", "display-message a ; kill-pane")
    equal(a.ok("list-keys", "-T", "mine"), "bind-key -T mine z display-message a \\; kill-pane\n")
    a.ok("unbind-key", "M-x")
    equal(a.fails("list-keys", "-T", "prefix", "M-x"), "unknown key: M-x")
    equal(a.fails("list-keys", "nokey"), "invalid key: nokey")


def test_options_are_set_shown_and_refused(t):
    a = start(t)
    equal(a.fails("set-option", "foo", "1"), "invalid option: foo")
    equal(a.fails("set-option", "mouse", "maybe"), "bad value: maybe")
    equal(a.fails("set-option", "history-limit", "-5"), "value is too small: -5")
    equal(a.fails("set-option", "-t", "zz", "mouse", "on"), "no such session: zz")
    equal(a.fails("set-option", "st", "on"), "ambiguous option: st")
    equal(a.ok("set-option", "-q", "foo", "1"), "")
    a.ok("set-option", "mouse")
    equal(a.ok("show-options", "mouse"), "mouse on\n")
    equal(a.ok("show-options", "-g", "mouse"), "mouse off\n")
    equal(a.fails("set-option", "-o", "mouse", "on"), "already set: mouse")
    a.ok("set-option", "@user", "b c")
    equal(a.ok("show-options"), '@user "b c"\ndefault-size 80x23\nmouse on\n')
    equal(a.ok("show-options", "-v", "@user"), "b c\n")
    a.ok("set-option", "-a", "@user", "d")
    equal(a.ok("show-options", "-v", "@user"), "b cd\n")
    a.ok("set-option", "-u", "@user")
    equal(a.fails("show-options", "@user"), "invalid option: @user")
    equal(a.ok("show-options", "-A", "mode-keys"), "mode-keys* emacs\n")
    a.ok("set-option", "-F", "@f", "#{session_name}-x")
    equal(a.ok("show-options", "-v", "@f"), "main-x\n")


def test_variables_for_new_panes_are_kept_hidden_and_removed(t):
    a = start(t, ["set-environment", "SHOWN", 'a"b$c'], ["set-environment", "-h", "HIDDEN", "1"],
              ["set-environment", "-r", "GONE"])
    equal(a.ok("show-environment", "SHOWN"), 'SHOWN=a"b$c\n')
    equal(a.ok("show-environment", "-s", "SHOWN"), 'SHOWN="a\\"b\\$c"; export SHOWN;\n')
    contains(a.ok("show-environment"), "-GONE\n")
    assert "HIDDEN" not in a.ok("show-environment")
    equal(a.ok("show-environment", "-h"), "HIDDEN=1\n")
    equal(a.fails("show-environment", "NOSUCH"), "unknown variable: NOSUCH")
    equal(a.fails("set-environment", "a=b", "x"), "variable name contains =")
    equal(a.fails("set-environment", "-u", "A", "x"), "can't specify a value with -u")
    a.ok("new-window", "-d", "-e", "EXTRA=e", "-t", ":5", "echo $SHOWN-$EXTRA-; cat")
    a.wait_capture('a"b$c-e-', ":5")


def test_buffers_go_to_files_and_back(t):
    a = start(t)
    data = bytes(range(1, 256)) * 2000
    a.ok("load-buffer", "-b", "in", "-", stdin=data)
    a.ok("save-buffer", "-b", "in", "out")
    with open(os.path.join(a.home, "out"), "rb") as f:
        equal(f.read() == data, True, "the file is what was read")
    a.ok("set-buffer", "-b", "more", "tail")
    a.ok("save-buffer", "-a", "-b", "more", "out")
    a.ok("load-buffer", "-b", "back", "out")
    equal(a.ok("list-buffers", "-F", "#{buffer_name} #{buffer_size}"), f"back {len(data) + 4}\nmore 4\nin {len(data)}\n")
    equal(a.ok("save-buffer", "-b", "more", "-"), "tail")
    os.mkfifo(os.path.join(a.home, "pipe"))
    contains(a.fails("load-buffer", "pipe"), "not a regular file")
    contains(a.fails("load-buffer", "/nowhere/x"), "/nowhere/x: No such file or directory")
    equal(a.fails("show-buffer", "-b", "zz"), "no buffer zz")
    equal(a.fails("delete-buffer", "-b", "zz"), "unknown buffer: zz")
    equal(a.fails("set-buffer"), "no data specified")
    a.ok("paste-buffer", "-d", "-b", "more")
    a.ok("send-keys", "Enter")
    a.wait_capture("tail\ntail")
    equal(a.fails("show-buffer", "-b", "more"), "no buffer more")


def test_a_long_history_is_captured_whole_and_in_order(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "s", "-x", "40", "-y", "10", "seq 1 30000; cat")
    a.wait_capture("30000")
    text = a.ok("capture-pane", "-p", "-S", "-", "-E", "-")
    equal([line for line in text.split("\n") if line], [str(n) for n in range(1, 30001)], "lines")
    equal(a.ok("capture-pane", "-p", "-S", "-2", "-E", "-1"), "29990\n29991\n")
    equal(a.fails("capture-pane", "-p", "-a"), "no alternate screen")
    a.ok("clear-history")
    equal(a.show("#{history_size}"), "0")


def test_files_of_commands_run_and_name_their_errors(t):
    a = start(t)
    with open(os.path.join(a.home, "one.conf"), "w") as f:
        f.write("set -g @one 1\ndisplay-message -p from-one\n")
    with open(os.path.join(a.home, "two.conf"), "w") as f:
        f.write("frobnicate\nset -g @two 2\n")
    equal(a.ok("source-file", "one.conf"), "from-one\n")
    code, out, err = a.run("source-file", "*.conf")
    equal((code, out), (1, "from-one\n"))
    contains(err, "two.conf:1: unknown command: frobnicate")
    equal(a.ok("show-options", "-gv", "@two"), "2\n")
    equal(a.ok("source-file", "-q", "missing.conf"), "")
    contains(a.fails("source-file", "missing.conf"), "missing.conf: No such file or directory")
    a.ok("source-file", "-n", "-", stdin=b"set -g @three 3\n")
    equal(a.ok("show-options", "-gqv", "@three"), "")
    a.ok("source-file", "-", stdin=b"set -g @three 3\n")
    equal(a.ok("show-options", "-gv", "@three"), "3\n")


def test_the_jobs_of_the_server_and_of_a_client_are_shown(t):
    a = start(t)
    c = shown(a)
    server = json.loads(a.ok("show-jobs", "-J"))
    assert server["loop"]["wakeups"] > 0 and any(row["name"] == "frame" for row in server["jobs"]), server
    client = json.loads(a.ok("show-jobs", "-J", "-c", a.ok("list-clients", "-F", "#{client_name}").strip()))
    assert client["jobs"] and client["loop"]["wakeups"] > 0, client
    contains(a.ok("show-jobs"), "wakeups ")
    equal(a.fails("show-jobs", "-c", "nobody"), "can't find client: nobody")
    before = json.loads(a.ok("show-jobs", "-J"))["loop"]["wakeups"]
    after = json.loads(a.ok("show-jobs", "-J"))["loop"]["wakeups"]
    assert after - before < 10, (before, after)
    c.send("\x02d")
    equal(c.exit(), 0)


def test_messages_and_errors_stand_in_the_status_line(t):
    a = start(t)
    c = shown(a)
    a.ok("display-message", "-d", "0", "hello from outside")
    c.wait("hello from outside")
    c.send("\x02:")
    c.wait(lambda rows: rows[-1].startswith(":"))
    c.send("kill-window -t 77\r")
    c.wait("Can't find window: 77")
    contains(a.ok("show-messages"), "hello from outside")


def test_prompts_fill_templates_and_escape_leaves_them(t):
    a = start(t)
    c = shown(a)
    c.send("\x02,")
    c.wait("(rename-window) one")
    c.send("\x15new name\r")
    a.wait_show("#W", "new name")
    c.send("\x02,")
    c.wait("(rename-window)")
    c.send("\x1b")
    c.wait_gone("(rename-window)")
    equal(a.show("#W"), "new name")
    a.ok("command-prompt", "-b", "-p", "first,second", "-I", "a,b", "set-option -g @answer '%1/%2'")
    c.wait("first a")
    c.send("A\r")
    c.wait("second b")
    c.send("B\r")
    wait_for(lambda: a.ok("show-options", "-gqv", "@answer") == "aA/bB\n", 5, "the answers")


def test_a_question_runs_its_command_only_on_a_yes(t):
    a = start(t, ["new-window", "-d", "-n", "two", "cat"])
    c = shown(a)
    for answer, left in (("n", "0:one\n1:two\n"), ("y", "1:two\n")):
        c.send("\x02&")
        c.wait("kill-window one? (y/n)")
        c.send(answer)
        c.wait_gone("kill-window one? (y/n)")
        wait_for(lambda: a.ok("list-windows", "-F", "#I:#W") == left, 5, "windows")


def test_clients_switch_sessions_and_are_detached_by_name(t):
    a = start(t, ["new-session", "-d", "-s", "other", "cat"])
    c = shown(a, "-t", "main")
    name = a.ok("list-clients", "-F", "#{client_name}").strip()
    a.ok("switch-client", "-c", name, "-t", "other")
    c.wait("[other]")
    a.ok("switch-client", "-l")
    c.wait("[main]")
    a.ok("switch-client", "-n")
    c.wait("[other]")
    equal(a.fails("switch-client", "-T", "nope"), "table nope doesn't exist")
    equal(a.ok("list-clients", "-t", "main"), "")
    a.ok("rename-session", "-t", "other", "renamed")
    c.wait("[renamed]")
    a.ok("detach-client", "-s", "renamed")
    equal(c.exit(), 0)
    contains(c.text(), "[detached (from session renamed)]")
    equal(a.fails("detach-client"), "no current client")


def test_a_list_asked_for_by_a_key_is_shown_in_the_pane(t):
    a = start(t)
    c = shown(a)
    c.send("\x02?")
    c.wait("Split the pane")
    equal(a.show("#{pane_in_mode}"), "1")
    c.send("q")
    a.wait_show("#{pane_in_mode}", "0")


if __name__ == "__main__":
    main()
