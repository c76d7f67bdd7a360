#!/usr/bin/env python3
"""lint.py [TOP]: the layering rules of the tree, read off includes and calls. Prints what breaks one; exit 1 then."""
import os
import re
import sys

top = sys.argv[1] if len(sys.argv) > 1 else "."
faults = []

# Folder of a file -> folders whose headers it may not include, and why.
FORBIDDEN_INCLUDES = [
    ("server/", ("client/",), "server/ never includes client/"),
    ("client/", ("server/",), "client/ never includes server/"),
    ("common/", ("server/", "client/"), "common/ includes neither server/ nor client/"),
    ("server/vt/", ("server/model/", "server/command/", "server/format/", "server/options/", "server/mode/",
                    "server/push/", "server/agent/", "server/store/", "server/server.h"),
     "vt/ knows nothing of sessions"),
    ("server/grid/", ("server/model/", "server/command/", "server/format/", "server/options/", "server/mode/",
                      "server/push/", "server/agent/", "server/store/", "server/server.h"),
     "grid/ knows nothing of sessions"),
]

# Calls -> the files they may stand in.
TIMERS = (r"\b(?:evtimer_\w+|event_base_once|bufferevent_set_timeouts|timerfd_\w+|setitimer|timer_create|timer_settime"
          r"|alarm|ualarm|sleep|usleep|nanosleep|clock_nanosleep|select|pselect|poll|ppoll|epoll_wait|epoll_pwait"
          r"|sqlite3_busy_timeout|event_add|event_base_loopexit)\s*\(")
CALLS = [
    (TIMERS, re.compile(r"^common/jobs\.c$"), "only common/jobs.c arms timers or waits"),
    (r"\b(?:setpriority|nice|sched_setscheduler|sched_setattr|ioprio_set|SYS_ioprio_set)\s*\(",
     re.compile(r"^server/agent/tier[a-z_]*\.c$"), "only server/agent/tier*.c touches priorities"),
    (r"\b(?:sqlite3_\w+)\s*\(", re.compile(r"^server/store/"), "only store/ touches the database"),
    (r"\b(?:pthread_create|thrd_create|bthread_\w+)\s*\(", re.compile(r"^$"), "one thread, no other ever"),
    (r"\b(?:strcpy|strcat|sprintf|vsprintf|gets)\s*\(", re.compile(r"^$"), "unbounded string calls"),
    (r"\b(?:TODO|FIXME|XXX)\b", re.compile(r"^$"), "unfinished"),
]


def strip(text):
    """Without comments and string contents, lines kept."""
    def blank(m):
        s = m.group(0)
        if s.startswith(("'", '"')):
            return s[0] + s[0]
        return "\n" * s.count("\n")
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


for folder in ("common", "server", "client"):
    for where, _, names in os.walk(os.path.join(top, folder)):
        for name in sorted(names):
            if not name.endswith((".c", ".h", ".def")):
                continue
            path = os.path.relpath(os.path.join(where, name), top)
            text = open(os.path.join(top, path), encoding="utf-8").read()
            if not text.startswith(("//", "/*")):
                faults.append(f"{path}:1: the first line says what the file is for")
            for n, line in enumerate(text.split("\n"), 1):
                m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                if m:
                    for prefix, banned, why in FORBIDDEN_INCLUDES:
                        if path.startswith(prefix) and m.group(1).startswith(banned):
                            faults.append(f"{path}:{n}: includes {m.group(1)}: {why}")
            for n, line in enumerate(strip(text).split("\n"), 1):
                for pattern, allowed, why in CALLS:
                    if not allowed.match(path):
                        for m in re.finditer(pattern, line):
                            if re.match(r"p?poll\s*\([^()]*,\s*0\)", line[m.start():]):
                                continue  # a look that does not wait
                            faults.append(f"{path}:{n}: {m.group(0).rstrip('( ')}: {why}")
            if re.search(r"\b(?:TODO|FIXME|XXX)\b", text):
                faults.append(f"{path}: a word that means unfinished")
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
