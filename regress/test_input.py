#!/usr/bin/env python3
"""What arrives in a program, byte by byte, of what the terminal sent: keys, escape, pastes, mouse reports."""
import os
import re
import time

from harness import equal, main, wait_for

# Raw mode; prints what it is told, then writes each read() as a line of hex.
RECORDER = """
import os, sys, tty
tty.setraw(0)
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
os.write(1, bytes.fromhex(sys.argv[2]) + b"READY")
while True:
    d = os.read(0, 65536)
    if not d:
        break
    os.write(out, d.hex().encode() + b"\\n")
"""
END = b"\x05\x05\x05"  # typed after what is tested: when it is there, everything before it is


class Recorder:
    """A pane whose program notes the bytes that it gets."""

    def __init__(self, a, prints=b"", name="in"):
        self.a, self.log = a, os.path.join(a.dir, name)
        script = os.path.join(a.dir, "recorder.py")
        with open(script, "w") as f:
            f.write(RECORDER)
        self.argv = ["python3", script, self.log, prints.hex()]

    def reads(self):
        try:
            with open(self.log) as f:
                return [bytes.fromhex(line) for line in f.read().split("\n")[:-1]]
        except FileNotFoundError:
            return []

    def got(self):
        return b"".join(self.reads())

    def expect(self, want, what="", limit=10.0):
        wait_for(lambda: len(self.got()) >= len(want), limit, f"{what} {want[:80]!r}, got {self.got()[:200]!r}")
        equal(self.got(), want, what)
        self.clear()

    def expect_after_end(self, c, want, what=""):
        """Types END behind what is under test; nothing but `want` came before it."""
        c.send(END)
        wait_for(lambda: self.got().endswith(END), 10, f"{what}: the end, got {self.got()[-200:]!r}")
        equal(self.got()[:-len(END)], want, what)
        self.clear()

    def clear(self):
        os.truncate(self.log, 0)


def start(t, prints=b"", cols=80, rows=24, config="", attach=True):
    a = t.amux(config=config)
    r = Recorder(a, prints)
    a.ok("new-session", "-d", "-s", "main", "-x", str(cols), "-y", str(rows), *r.argv)
    a.wait_capture("READY")
    c = a.attach(cols=cols, rows=rows) if attach else None
    if c:
        c.wait("READY")
        c.settle(0.2)
        c.send(END)  # what the start of a client leaves open is over
        r.expect(END)
    return a, r, c


def test_a_buffer_that_carries_the_end_of_a_paste_stays_text(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main", "bash", "--norc")
    a.wait_capture("$")
    a.ok("send-keys", "bind 'set enable-bracketed-paste on'; echo re''ady", "Enter")
    a.wait_capture("ready")
    for end in ("\x1b[201~", "\u009b201~", "\x1b\x1b[201~[201~"):
        a.ok("set-buffer", f"echo safe {end}\recho pwned-$((6*7))\r")
        a.ok("paste-buffer", "-p")
    a.ok("send-keys", "C-c", "")
    a.ok("send-keys", "echo mar''ker", "Enter")
    text = a.wait_capture("\nmarker")
    assert "pwned-42" not in text, text


def test_a_pasted_buffer_has_one_pair_of_brackets_and_keeps_its_lines(t):
    a, r, c = start(t, b"\x1b[?2004h")
    for keys in (None, "\x02]"):
        for end in ("\x1b[201~", "\u009b201~", "\x1b\x1b[201~[201~"):
            a.ok("set-buffer", f"one\ttab\ntwo {end}\rthree")
            a.ok("paste-buffer", "-p") if keys is None else c.send(keys)
            wait_for(lambda: r.got().endswith(b"\x1b[201~"), 5, f"a paste, got {r.got()!r}")
            got = r.got()
            equal((got.count(b"\x1b[200~"), got.count(b"\x1b[201~"), got.count(b"\x1b")), (1, 1, 2), repr(got))
            assert got.startswith(b"\x1b[200~one\ttab\rtwo "), got
            assert b"\xc2\x9b" not in got and got.endswith(b"three\x1b[201~"), got
            r.clear()


def test_the_prefix_inside_a_paste_is_text(t):
    a, r, c = start(t, b"\x1b[?2004h")
    c.send(b"\x1b[200~a\x02cb\x1b[201~")
    r.expect(b"\x1b[200~a\x02cb\x1b[201~")
    equal(a.show("#{session_windows}"), "1")


def test_the_prefix_inside_a_burst_of_text_is_text_unless_that_is_off(t):
    a, r, c = start(t)
    c.send(b"aaaa\x02cbbbb")
    r.expect(b"aaaa\x02cbbbb")
    equal(a.show("#{session_windows}"), "1")
    a.ok("set-option", "-g", "assume-paste-time", "0")
    c.send(b"aaaa\x02c")
    a.wait_show("#{session_windows}", "2")
    equal(r.got(), b"aaaa")


def test_commands_typed_in_one_burst_are_commands(t):
    a, r, c = start(t)
    c.send(b"\x02c\x02c\x02c")
    a.wait_show("#{session_windows}", "4")


def test_a_paste_cut_where_it_is_no_key_yet_is_one_paste(t):
    a, r, c = start(t, b"\x1b[?2004h")
    whole = b"\x1b[200~x\xe6\xa9\x8b\x02cy\x1b[201~"
    for cut in range(3, len(whole)):
        c.send(whole[:cut])
        time.sleep(0.03)  # longer than the escape time
        c.send(whole[cut:])
        r.expect(whole, f"cut at {cut}")
    equal(a.show("#{session_windows}"), "1")


def test_a_paste_goes_raw_to_a_program_that_did_not_ask_for_brackets(t):
    a, r, c = start(t)
    c.send(b"\x1b[200~one\ntwo\tx\x1b[201~")
    r.expect(b"one\rtwo\tx")


def test_escape_alone_comes_soon_and_is_never_lost(t):
    a, r, c = start(t)
    times = []
    for _ in range(20):
        began = time.monotonic()
        c.send(b"\x1b")
        r.expect(b"\x1b")
        times.append(time.monotonic() - began)
    assert sorted(times)[10] < 0.12, f"an escape takes {sorted(times)[10] * 1000:.0f} ms"
    c.send(b"\x1b\x1b")
    r.expect(b"\x1b\x1b")


def test_escape_and_a_key_long_after_are_two_keys(t):
    a, r, c = start(t)
    a.ok("bind-key", "-n", "M-x", "new-window")
    c.send(b"\x1b")
    time.sleep(0.2)
    c.send(b"x")
    r.expect(b"\x1bx")
    equal(a.show("#{session_windows}"), "1")
    c.send(b"\x1bx")
    a.wait_show("#{session_windows}", "2")


def test_escape_and_a_key_within_the_escape_time_are_both_there(t):
    a, r, c = start(t, config="set -g escape-time 500\n")
    c.send(b"\x1b")
    time.sleep(0.02)
    c.send(b"x")
    r.expect(b"\x1bx")


def test_a_cut_mouse_report_leaves_nothing_in_a_program_without_mouse(t):
    a, r, c = start(t)
    for parts, gap in (((b"\x1b[<0;10", b";5M"), 0.05), ((b"\x1b[M", b"CH4"), 0.02), ((b"\x1b[<", b"0;10;5m"), 0.05),
                       ((b"\x1b[<0;10;5", b"M"), 0.3)):
        c.send(parts[0])
        time.sleep(gap)
        c.send(parts[1])
        r.expect_after_end(c, b"", str(parts))


def test_a_flood_of_mouse_reports_in_small_writes_arrives_whole(t):
    a, r, c = start(t, b"\x1b[?1003h\x1b[?1006h", config="set -g mouse on\n")
    flood = b"".join(b"\x1b[<35;%d;%dM" % (1 + n % 80, 1 + n % 20) for n in range(2000))
    for i in range(0, len(flood), 7):
        c.send(flood[i:i + 7])
    c.send(END)
    wait_for(lambda: r.got().endswith(END), 20, "the end")
    got = r.got()[:-len(END)]
    rest = re.sub(rb"\x1b\[<35;\d+;\d+M", b"", got)
    equal(rest, b"", "what is no report")
    assert len(got) > 100, "reports arrive at all"


def test_columns_that_an_encoding_cannot_say_are_not_sent_wrong(t):
    a, r, c = start(t, b"\x1b[?1000h", cols=300, config="set -g mouse on\n")
    c.send(b"\x1b[<0;250;5M\x1b[<0;250;5m")
    c.send(END)
    wait_for(lambda: r.got().endswith(END), 10, "the end")
    got = r.got()[:-len(END)]
    r.clear()
    assert got == b"" or re.fullmatch(rb"(\x1b\[M[\x20\x23]\xff\x25){1,2}", got), got
    c.send(b"\x1b[<0;25;5M")
    r.expect(b"\x1b[M \x39\x25")
    for prints, want in ((b"\x1b[?1000h\x1b[?1005h", b"\x1b[M " + chr(250 + 32).encode() + b"%"),
                         (b"\x1b[?1000h\x1b[?1006h", b"\x1b[<0;250;5M")):
        r2 = Recorder(a, prints, f"in{len(want)}")
        a.ok("new-window", *r2.argv)
        a.wait_capture("READY")
        c.settle(0.2)
        c.send(b"\x1b[<0;250;5M")
        r2.expect(want)


def answers(t, prints):
    """What a program reads in answer to what it prints, in a pane that no client shows."""
    a, r, _ = start(t, prints + b"\x1b[5n", attach=False)
    wait_for(lambda: r.got().endswith(b"\x1b[0n"), 5, f"answer, got {r.got()!r}")
    return r.got()[:-4]


def test_kitty_keyboard_flags_are_a_stack_or_silence(t):
    got = answers(t, b"\x1b[>1u\x1b[?u\x1b[>u\x1b[?u\x1b[<u\x1b[?u\x1b[<9u\x1b[?u\x1b[=5u\x1b[?u\x1b[=0u\x1b[?u")
    assert got in (b"", b"\x1b[?1u\x1b[?0u\x1b[?1u\x1b[?0u\x1b[?5u\x1b[?0u"), got


def test_keys_in_the_long_form_typed_fast_are_keys(t):
    a, r, c = start(t)
    c.send(b"\x1b[27;5;102~" * 20)
    r.expect(b"\x06" * 20)
    c.send(b"\x1b[102;5u" * 20)
    r.expect(b"\x06" * 20)
    c.send(b"\x1b[27;5;98~d")  # the prefix in that form, and its key
    equal(c.exit(), 0)


def test_odd_bytes_arrive_as_they_are(t):
    a, r, c = start(t)
    for data in (b"\x00", b"\x7f\x08", b"\x1b\xc3\xa9", "é橋😀".encode(), b"\x1b" + "😀".encode(), b"\x1b\x7f", b"\x1b\r", b"\t\r\n",
                 b"\x1b[A\x1b[Z", b"\x1c\x1d\x1e\x1f", b"\x1b[3~\x1b[15~", b"\x1bOP\x1bOS", b"\x1b[1;5C\x1b[1;2D"):
        c.send(data)
        r.expect(data, repr(data))


def test_utf8_cut_at_any_byte_is_typed_whole(t):
    a, r, c = start(t)
    for ch in ("é", "橋", "😀"):
        data = ch.encode()
        for cut in range(1, len(data)):
            c.send(data[:cut])
            time.sleep(0.03)
            c.send(data[cut:])
            r.expect(data, f"{ch} cut at {cut}")


def test_the_pane_in_focus_sets_the_terminals_modes_also_after_reattach(t):
    a, r, c = start(t, b"\x1b[?2004h\x1b[?1002h\x1b[?1006h\x1b[?1h\x1b=", config="set -g mouse off\n")
    plain = Recorder(a, b"", "plain")
    a.ok("split-window", "-d", "-t", "main", *plain.argv)
    c.send("\x02d")
    equal(c.exit(), 0)
    d = a.attach()
    d.wait(re.compile("READY.*READY", re.S))
    d.settle()
    d.send(b"\x1b[200~one\ntwo\x1b[201~")
    wait_for(lambda: b"201~" in r.got(), 5, "a paste")
    assert re.fullmatch(rb"\x1b\[200~one[\r\n]two\x1b\[201~", r.got()), r.got()
    r.clear()
    d.send(b"\x1b[A")
    r.expect(b"\x1bOA")
    a.ok("select-pane", "-t", "main:0.1")
    d.settle()
    d.send(b"\x1b[200~one\ntwo\x1b[201~")
    wait_for(lambda: b"two" in plain.got(), 5, "the paste")
    assert re.fullmatch(rb"one[\r\n]two", plain.got()), plain.got()
    plain.clear()
    d.send(b"\x1bOA")
    plain.expect(b"\x1b[A")
    equal(r.got(), b"")


if __name__ == "__main__":
    main()
