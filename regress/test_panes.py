#!/usr/bin/env python3
"""What programs draw, ask and leave behind in a pane, seen through a real client: text cut anywhere, wide glyphs, scroll
regions, colours, questions, modes of the dead, captures, the clipboard."""
import base64
import os
import re

from harness import contains, equal, main, wait_for
from test_input import Recorder


def start(t, *command, cols=80, rows=24, config=""):
    a = t.amux(config=config)
    a.ok("new-session", "-d", "-s", "main", "-x", str(cols), "-y", str(rows), *(command or ("bash", "--norc")))
    return a


def printer(t, data):
    """A client whose pane of 40x10 shows `data`."""
    a = t.amux()
    path = os.path.join(a.dir, "data")
    with open(path, "wb") as f:
        f.write(data)
    a.ok("new-session", "-d", "-s", "main", "-x", "40", "-y", "11", f"stty -echo -opost; cat {path}; exec sleep 1000")
    c = a.attach(cols=40, rows=11)
    c.wait("[main]")
    return a, c


def test_utf8_cut_between_two_writes_is_whole_on_the_screen(t):
    whole = "A—B招聘😀é\r\n".encode()
    script = "import os, sys, time\ndata = %r\nfor cut in range(1, len(data)):\n os.write(1, data[:cut]); time.sleep(0.01)\n os.write(1, data[cut:])\nos.write(1, b'END')\n" % whole
    a = start(t, rows=60)
    path = os.path.join(a.dir, "cut.py")
    with open(path, "w") as f:
        f.write(script)
    c = a.attach(rows=60)
    c.wait("$")
    c.send(f"clear; stty -opost; python3 {path}; stty opost\r")
    rows = c.wait("END")
    shown = [r for r in rows if r.startswith("A")]
    equal(shown, ["A—B招聘😀é"] * (len(whole) - 1))
    equal(len(re.findall("A—B招聘😀é", a.capture())), len(whole) - 1)


def test_bytes_that_are_no_utf8_show_as_such_and_eat_nothing(t):
    a, c = printer(t, b"a\xffb\r\na\xe2\x80b\r\na\xe2\x80\x1b[1mb\x1b[0m\r\na\xc0\xafb\r\nEND")
    rows = c.wait("END")
    equal(rows[:3], ["a\ufffdb", "a\ufffdb", "a\ufffdb"])
    assert re.fullmatch("a\ufffd{1,2}b", rows[3]), rows[3]


def test_unknown_strings_leave_screen_and_title_alone(t):
    a, c = printer(t, b"a\x1b_Ghello\x1b\\b\r\na\x1b^Ghello\x1b\\b\x1bXabc\x1b\\c\r\na\x1bkname\x1b\\b\r\n\x1b_Gi=1,a=q;\x1b\\"
                      b"\x1bPqhello\x1b\\x\x1b]7777;hello\x07y\x1b]hello\x1b\\z\r\nEND")
    rows = c.wait("END")
    equal(rows[:5], ["ab", "abc", "ab", "xyz", "END"])
    equal(a.show("#{pane_title}"), a.show("#{host}"))


def test_erasing_to_the_end_keeps_the_last_column_that_was_written(t):
    a, c = printer(t, b"x" * 40 + b"\x1b[K\r\n\x1b[31m" + b"y" * 40 + b"\x1b[m\x1b[K\r\nEND")
    rows = c.wait("END")
    equal(rows[:2], ["x" * 40, "y" * 40])


EMOJI = ("|👨‍👩‍👧|", "|❤️|", "|👍🏽|", "一🇸🇬🇸🇬|", "🫡🇸🇪🇸🇪|", "|✍|", "|⚌|", "|é|", "|e\u0301\u0301|", "ポx", "|각|")


def test_wide_and_joined_glyphs_never_move_what_stands_beside_them(t):
    body = b"".join(g.encode() + b"\x1b[6n\r\n" for g in EMOJI) + b"END"
    a = t.amux()
    r = Recorder(a, body)
    a.ok("new-session", "-d", "-s", "main", "-x", "61", "-y", "24", *r.argv)
    wait_for(lambda: r.got().count(b"R") == len(EMOJI), 10, "every answer")
    columns = [int(m) for m in re.findall(rb"\x1b\[\d+;(\d+)R", r.got())]
    a.ok("split-window", "-d", "-h", "-t", "main", "cat")
    c = a.attach(cols=61, rows=24)
    rows = c.wait(lambda rows: "END" in "\n".join(rows) and "\u2502" in rows[5])
    c.settle(0.2)
    captured = a.capture("main:0.0").split("\n")
    for y, glyphs in enumerate(EMOJI):
        # The cursor that the program was told stands behind the bar that a client shows, and the border is straight.
        equal(captured[y], glyphs, f"capture of {glyphs!r}")
        cells = c.cells(y)
        equal(cells[30][0], "\u2502", f"border beside {glyphs!r}")
    # Narrow, wide and combining ones have one right answer.
    by = dict(zip(EMOJI, columns))
    equal([by["|✍|"], by["|é|"], by["|e\u0301\u0301|"], by["ポx"], by["|각|"]], [4, 4, 4, 4, 5])
    equal([by["一🇸🇬🇸🇬|"], by["🫡🇸🇪🇸🇪|"]], [8, 8])


def history(a):
    return [r for r in a.ok("capture-pane", "-p", "-S", "-", "-E", "-1", "-t", "main").split("\n")[:-1]] if int(a.show("#{history_size}")) else []


def test_only_a_region_at_the_top_scrolls_into_history(t):
    ten = b"".join(b"%d\r\n" % n for n in range(1, 11)) + b"END"
    for region, rows_wanted, in_history in ((b"\x1b[1;5r\x1b[5;1H", ["7", "8", "9", "10", "END"], True),
                                            (b"\x1b[2;6r\x1b[6;1H", ["", "7", "8", "9", "10", "END"], False),
                                            (b"\x1b[?1049h\x1b[1;5r\x1b[5;1H", ["7", "8", "9", "10", "END"], False)):
        a, c = printer(t, region[:8 * (b"1049" in region)] + b"\x1b[9;1Hbelow" + region + ten)
        rows = c.wait("END")
        equal(rows[:len(rows_wanted)], rows_wanted, repr(region))
        equal(rows[8], "below")
        past = history(a)
        if in_history:
            equal(past[-6:], [str(n) for n in range(1, 7)])
        else:
            equal(past, [])


def test_a_transcript_written_above_a_composer_is_in_history_once_in_order(t):
    a = start(t, cols=40, rows=11)
    path = os.path.join(a.dir, "inline.py")
    with open(path, "w") as f:
        f.write("""
import os, sys, time
for n in range(300):
    rows = os.get_terminal_size(1).lines
    top = rows - 4
    out = "\\033[1;%dr\\033[%d;1H\\r\\nline %d\\033[r" % (top, top, n)
    for y in range(4):
        out += "\\033[%d;1H\\033[Kcomposer %d" % (top + 1 + y, y)
    os.write(1, out.encode())
    if n % 100 == 50:
        open(sys.argv[1], "a").write("x")
        while os.path.getsize(sys.argv[1]) % 2:
            time.sleep(0.01)
os.write(1, b"\\033[%d;1HDONE" % rows)
time.sleep(1000)
""")
    gate = os.path.join(a.dir, "gate")
    a.ok("send-keys", f"clear; exec python3 {path} {gate}", "Enter")
    c = a.attach(cols=40, rows=11)
    for n, (cols, rows) in enumerate(((40, 11), (25, 11), (60, 11))):
        wait_for(lambda: os.path.exists(gate) and os.path.getsize(gate) == 2 * n + 1, 10, "the program waits")
        c.resize(cols, rows)
        a.wait_show("#{window_width}", str(cols), "main:")
        with open(gate, "a") as f:
            f.write("x")
    c.wait("DONE")
    text = a.ok("capture-pane", "-p", "-S", "-", "-t", "main")
    equal([int(n) for n in re.findall(r"^line (\d+)$", text, re.M)], list(range(300)))
    past = a.ok("capture-pane", "-p", "-S", "-", "-E", "-1", "-t", "main")
    assert "composer" not in past, past[-400:]


def test_erasing_paints_the_background_now_and_after_reattach(t):
    a, c = printer(t, b"\x1b[42mAB\x1b[K\x1b[0m\r\n\x1b[44m\x1b[2K\x1b[0mx\r\nEND")
    c.wait("END")
    for _ in range(2):
        c.settle(0.1)
        cells = c.cells(0)
        equal(len({x[3] for x in cells}), 1, "one background in row 0")
        assert cells[0][3] != c.cells(5)[0][3], cells[0]
        c.send("\x02d")
        equal(c.exit(), 0)
        c = a.attach(cols=40, rows=11)
        c.wait("END")
    equal(a.capture("main").split("\n")[0], "AB")


# --- questions

QUESTIONS = b"\x1b]11;?\x1b\\\x1b]10;?\x07\x1b[c\x1b[6n\x1b[5n"


def check_answers(got, fg=None, bg=None):
    m = re.fullmatch(rb"\x1b\]11;rgb:([0-9a-f/]+)\x1b\\\x1b\]10;rgb:([0-9a-f/]+)\x07\x1b\[\?[0-9;]+c\x1b\[\d+;\d+R\x1b\[0n", got)
    assert m, f"answers: {got!r}"
    if bg:
        equal((m.group(2), m.group(1)), (fg, bg), "foreground and background")


def ask(t, a, name):
    r = Recorder(a, QUESTIONS, name)
    a.ok("new-window", "-t", "main:", "-n", name, *r.argv)
    wait_for(lambda: r.got().endswith(b"\x1b[0n"), 5, f"the last answer, got {r.got()!r}")
    return r.got()


def test_colours_position_and_kind_are_answered_with_and_without_clients(t):
    a = start(t, "cat")
    check_answers(ask(t, a, "detached"))
    clients = [a.attach(), a.attach()]
    for c in clients:
        c.wait("[main]")
        c.settle(0.2)
    check_answers(ask(t, a, "two"))
    one = clients[0]
    one.send(b"\x1b]10;rgb:1111/2222/3333\x1b\\\x1b]11;rgb:ffff/eeee/dddd\x1b\\")
    one.send("q")
    one.settle(0.2)
    got = ask(t, a, "light")
    check_answers(got)
    for c in clients:
        c.send("\x02d")
        c.exit()
    check_answers(ask(t, a, "again"))


def test_unknown_questions_get_no_bytes_at_all(t):
    a = t.amux()
    r = Recorder(a, b"\x1b[?9999$p\x1b[99n\x1b]9999;?\x07\x1b[?99n\x1b[=7z\x1bP+q\x1b\\\x1b[18;9z\x1b[5n")
    a.ok("new-session", "-d", "-s", "main", *r.argv)
    wait_for(lambda: r.got().endswith(b"\x1b[0n"), 5, "the last answer")
    got = re.sub(rb"\x1b\[\?9999;0\$y|\x1bP0\+r\x1b\\", b"", r.got())  # "not known" in the protocol's own words
    equal(got, b"\x1b[0n")


# --- what a killed program leaves

def test_one_command_undoes_what_a_killed_program_left(t):
    a = start(t, config="set -g mouse off\n")
    c = a.attach()
    c.wait("$")
    c.send("python3 -c \"import os,signal; os.write(1, b'\\x1b[?1003h\\x1b[?1006h\\x1b[?1004h\\x1b[?25l\\x1b[3;5r\\x1b[>1u\\x1b[?1h'); os.kill(os.getpid(), 9)\"\r")
    c.wait("Killed")
    a.ok("send-keys", "-R", "-t", "main")
    a.wait_show("#{mouse_any_flag}#{mouse_sgr_flag}#{keypad_cursor_flag}#{cursor_flag}", "0001", "main")
    equal(a.show("#{scroll_region_upper} #{scroll_region_lower}", "main"), "0 22")
    c.settle(0.2)
    equal(c.state()["mouse"], 0)
    c.send("\x1b[<64;22;10M")
    c.send("echo cle''an\r")
    rows = c.wait("clean")
    assert "64;22" not in "\n".join(rows), "\n".join(rows)


# --- captures

def test_a_counter_read_by_captures_never_goes_back(t):
    a = start(t, "printf '\\033[?1049h'; n=0; while :; do n=$((n+1)); printf '\\033[5;5H%d ' $n; done")
    a.wait_capture("1")
    last = 0
    for _ in range(60):
        text = a.capture("main")
        n = int(re.search(r"(\d+)", text).group(1))
        assert n >= last, f"{n} after {last}"
        last = n


def test_a_capture_after_a_write_shows_it(t):
    a = start(t, "stty -echo; while read x; do echo \"got $x\"; touch %s/$x; done" % "$HOME")
    for n in range(20):
        a.ok("send-keys", f"w{n}", "Enter")
        wait_for(lambda: os.path.exists(f"{a.home}/w{n}"), 5, "it was written")
        contains(a.capture("main"), f"got w{n}")


# --- clipboard

def test_a_long_clipboard_text_reaches_the_terminal_whole_once_and_never_the_pane(t):
    a = start(t)
    c = a.attach()
    c.wait("$")
    text = os.urandom(75000)
    path = os.path.join(a.dir, "copy")
    with open(path, "wb") as f:
        f.write(b"\x1b]52;c;" + base64.b64encode(text) + b"\x07")
    c.raw()
    c.send(f"clear; dd if={path} bs=1000 2>/dev/null; echo co''pied\r")
    c.wait("copied")
    c.settle()
    out = c.raw()
    found = re.findall(rb"\x1b\]52;c?;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)", out)
    equal(len(found), 1, "sequences")
    assert base64.b64decode(found[0]) == text, "the text differs"
    equal([r for r in c.screen() if len(r) > 40 and "[main]" not in r], [])


def test_the_clipboard_is_not_read_for_programs(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "first", "cat")
    a.ok("set-buffer", "secret")
    r = Recorder(a, b"\x1b]52;c;?\x07\x1b]52;p;?\x1b\\\x1b[5n")
    a.ok("new-session", "-d", "-s", "main", *r.argv)
    wait_for(lambda: r.got().endswith(b"\x1b[0n"), 5, "the last answer")
    equal(r.got(), b"\x1b[0n")


if __name__ == "__main__":
    main()
