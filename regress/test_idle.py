#!/usr/bin/env python3
"""Idle is idle: no wakeup of server or client when nothing happens, by the job counters and by the kernel's."""
import json
import os
import time

from harness import contains, equal, main, wait_for

SECONDS = float(os.environ.get("AMUX_IDLE_SECONDS", "6"))


def switches(pid):
    n = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as f:
            n += sum(int(l.split()[1]) for l in f if l.startswith("voluntary_ctxt"))
    return n


def test_ten_prompts_and_a_client_without_a_clock_never_wake(t):
    a = t.amux(config="set -g status-right ''\n")
    a.env.pop("AMUX_DEBUG_JOBS", None)  # the watcher wakes the loop itself
    a.ok("new-session", "-d", "-s", "m", "-x", "120", "-y", "40", "bash", "--norc")
    for n in range(9):
        a.ok("new-window", "-d", "-t", "m:", "bash", "--norc")
    c = a.attach(cols=120, rows=40)
    c.wait("$")
    server, client = a.pid(), c.pid()
    name = a.ok("list-clients", "-F", "#{client_name}").strip()
    c.settle(1.0)

    def quiet():
        before = switches(server), switches(client)
        time.sleep(1)
        return (switches(server), switches(client)) == before
    wait_for(quiet, 20, "everything settles")

    def jobs(*args):
        return json.loads(a.ok("show-jobs", "-J", *args))
    j0, c0 = jobs(), jobs("-c", name)
    wait_for(quiet, 10, "the asking is over")
    s0 = switches(server), switches(client)
    time.sleep(SECONDS)  # the thing under test is that nothing happens meanwhile
    s1 = switches(server), switches(client)
    equal(s1, s0, "context switches of server and client")
    j1 = jobs()
    equal(j1["loop"]["timer_wakeups"], j0["loop"]["timer_wakeups"], "timer wakeups of the server")
    c1 = jobs("-c", name)
    equal(c1["loop"]["timer_wakeups"], c0["loop"]["timer_wakeups"], "timer wakeups of the client")
    # These run for the connections that ask; what reaches the attached client would show in its switches above.
    asking = ("commands", "connection", "send", "server life")
    runs = [{j["name"]: j["runs"] for j in jobs_now["jobs"] if j["name"] not in asking} for jobs_now in (j0, j1)]
    equal(runs[1], runs[0], "runs of the server's jobs")


def test_show_jobs_lists_each_job_and_the_longest_turn(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "m", "cat")
    text = a.ok("show-jobs")
    contains(text, "longest turn")
    j = json.loads(a.ok("show-jobs", "-J"))
    assert j["jobs"] and all({"name", "runs"} <= set(x) for x in j["jobs"]), j
    contains(a.fails("show-jobs", "-c", "nobody"), "can't find client: nobody")


if __name__ == "__main__":
    main()
