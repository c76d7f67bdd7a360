#!/usr/bin/env python3
"""Under load: neighbours of a flood, tiny scrolls, memory. Short and bounded; regress/bench measures."""
import os
import re
import time

from harness import contains, equal, is_sanitized, main, SLOW, wait_for


def start(t, *command, cols=80, rows=24, **kw):
    a = t.amux(**kw)
    a.ok("new-session", "-d", "-s", "main", "-x", str(cols), "-y", str(rows), *(command or ("bash", "--norc")))
    return a


def script(a, name, text):
    path = os.path.join(a.dir, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def rss_kb(pid):
    with open(f"/proc/{pid}/status") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1))


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as f:
        s = f.read().rsplit(")", 1)[1].split()
    return (int(s[11]) + int(s[12])) / os.sysconf("SC_CLK_TCK")


def test_typing_beside_floods_is_echoed_soon_and_hidden_floods_cost_no_bytes(t):
    a = start(t, "cat")
    for n in range(4):
        a.ok("new-window", "-d", "-t", f"main:{n + 1}", "yes 0123456789")
    c = a.attach()
    c.wait("[main]")
    c.settle()
    before, times = c.count(), []
    for n in range(40):
        word = f"w{n:02d}."
        began = time.monotonic()
        c.send(word)
        c.wait(word)
        times.append(time.monotonic() - began)
    times.sort()
    assert times[20] < 0.25 * SLOW, f"median echo {times[20] * 1000:.0f} ms"
    assert c.count() - before < 20000, f"{c.count() - before} bytes for 160 characters"
    began = time.monotonic()
    a.ok("ls")
    assert time.monotonic() - began < 1 * SLOW
    began = time.monotonic()
    a.ok("kill-server")
    assert time.monotonic() - began < 3 * SLOW


SCROLLS = """
import os, sys, time
for n in range(200):
    out = "\\033[20A" + "".join("\\033[2K%d line %d\\r\\n" % (n, y) for y in range(20))
    os.write(1, out.encode())
    time.sleep(0.01)
os.write(1, b"DONE")
time.sleep(1000)
"""


def test_a_block_redrawn_a_hundred_times_a_second_is_drawn_in_few_frames(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main", "python3", script(a, "scrolls.py", SCROLLS))
    c = a.attach()
    rows = c.wait("DONE", 20)
    equal([r for r in rows if "line" in r][-20:], [f"199 line {y}" for y in range(20)])
    assert c.count() < 2000000, f"{c.count()} bytes in two seconds"


def test_a_redraw_in_place_keeps_memory_flat(t):
    blink = "import os\nfor n in range(60000):\n os.write(1, b'\\x1b[1;1H\\x1b[38;2;%d;%d;1mo\\x1b[m %d\\r' % (n % 256, n // 256 % 256, n))\nos.write(1, b'END')\nimport time; time.sleep(1000)\n"
    a = start(t)
    pid = a.pid()
    path = script(a, "blink.py", blink)
    c = a.attach()
    c.wait("$")
    grown = []
    for n in range(3):
        a.ok("new-window", "-t", "main:1", "python3", path)
        a.wait_capture("END", "main:1", 30)
        grown.append(rss_kb(pid))
        a.ok("kill-window", "-t", "main:1")
    assert grown[2] - grown[0] < 3000 or is_sanitized(), f"kB after each: {grown}"


def test_history_ends_at_its_limit_and_goes_when_its_pane_does(t):
    a = start(t, "cat", config="set -g history-limit 10000\n")
    pid = a.pid()
    before = rss_kb(pid)
    a.ok("new-window", "-d", "-t", "main:1", "seq 1 300000; echo END; cat")
    a.wait_capture("END", "main:1", 30)
    equal(a.show("#{history_size}", "main:1"), "10000")
    if is_sanitized():
        return
    full = rss_kb(pid)
    assert full - before < 12000, f"{full - before} kB for 10,000 short rows"
    a.ok("new-window", "-d", "-t", "main:2", "i=0; while [ $i -lt 12000 ]; do printf '\\033[38;2;%d;9;9mcolour \\033[48;2;9;%d;9mrow\\033[m\\n' $((i%256)) $((i%199)); i=$((i+1)); done; echo END; cat")
    a.wait_capture("END", "main:2", 60)
    equal(a.show("#{history_size}", "main:2"), "10000")
    more = rss_kb(pid)
    assert more - full < 16000, f"{more - full} kB for 10,000 coloured rows"
    a.ok("clear-history", "-t", "main:2")
    a.ok("kill-window", "-t", "main:1")
    a.ok("kill-window", "-t", "main:2")
    wait_for(lambda: rss_kb(pid) < before + 6000, 10, f"memory given back ({before} before, {more} full)")


def test_thirty_shells_at_their_prompts_cost_nothing(t):
    a = t.amux(config="set -g status-right ''\n")
    a.env.pop("AMUX_DEBUG_JOBS", None)  # the watcher wakes the loop itself
    a.ok("new-session", "-d", "-s", "main", "-x", "80", "-y", "24", "bash", "--norc")
    words = []
    for n in range(29):
        words += ["new-window", "-d", "-t", "main:", "bash", "--norc", ";"]
    a.ok(*words[:-1])
    for n in range(30):
        a.wait_capture("$", f"main:{n}")
    pid = a.pid()

    def switches():
        with open(f"/proc/{pid}/status") as f:
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", f.read(), re.M).group(1))

    def is_quiet():
        n = switches()
        time.sleep(0.5)
        return switches() == n
    wait_for(is_quiet, 10, "it settles")
    spent, before = cpu_seconds(pid), switches()
    time.sleep(3)  # the thing under test is that nothing happens meanwhile
    equal((cpu_seconds(pid), switches()), (spent, before))


if __name__ == "__main__":
    main()
