#!/usr/bin/env python3
"""Clients and servers of other versions: one apart is served, too far apart becomes the server's own program."""
import os

import harness
from harness import BUILD, contains, equal, main, wait_for

NEXT = os.environ.get("AMUX_NEXT", os.path.join(BUILD, "regress", "amux-next"))
FAR = os.environ.get("AMUX_FAR", os.path.join(BUILD, "regress", "amux-far"))


class Program:
    """Commands and terminals of another build than the server's."""

    def __init__(self, amux, path):
        self.amux, self.path = amux, path

    def run(self, *args):
        saved, harness.AMUX = harness.AMUX, self.path
        try:
            return self.amux.run(*args)
        finally:
            harness.AMUX = saved

    def attach(self, *args):
        saved, harness.AMUX = harness.AMUX, self.path
        try:
            return self.amux.attach(*args)
        finally:
            harness.AMUX = saved


def exe_of(pid):
    return os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")


def served(a, client):
    """A client one version apart lists, attaches, types and detaches, as its own program."""
    equal(client.run("ls", "-F", "#S"), (0, "main\n", ""))
    term = client.attach("attach-session", "-t", "main")
    term.wait("[main]")
    term.send("echo one$((1+1))\r")
    term.wait("one2")
    equal(exe_of(int(a.ok("list-clients", "-F", "#{client_pid}"))), client.path)
    term.send(b"\x02d")
    equal(term.exit(), 0)
    contains(term.text(), "[detached (from session main)]")
    equal(client.run("kill-server"), (0, "", ""))


def becomes_the_servers(a, server_path, client):
    """A client too far apart goes on as the server's own program, with the same arguments, and says so."""
    code, out, err = client.run("ls", "-F", "#S")
    equal((code, out), (0, "main\n"))
    equal(err.count("\n"), 1, err)
    contains(err, "going on as the server's own program")
    code, out, err = client.run("new-window", "-d", "-n", "two words", "-t", "main:7", "cat")
    equal((code, out), (0, ""), err)
    equal(client.run("display-message", "-p", "-t", "main:7", "#W")[1], "two words\n")
    term = client.attach("attach-session", "-t", "main")
    term.wait("[main]")
    term.send("echo far$((1+1))\r")
    term.wait("far2")
    term.send("env | grep -c ^AMUX_REEXEC; echo looked\r")
    term.wait("\n0\nlooked\n")
    pid = int(client.run("list-clients", "-F", "#{client_pid}")[1])
    equal(exe_of(pid), server_path)
    term.send(b"\x02d")
    equal(term.exit(), 0)
    contains("".join(term.screen()), "going on as the server's own program")
    contains(term.text(), "[detached (from session main)]")
    assert term.termios_same()
    # It stays one client that tells the truth about errors.
    code, out, err = client.run("has-session", "-t", "nobody")
    equal((code, out), (1, ""))
    contains(err, "can't find session: nobody")
    code, out, err = client.run("kill-server")
    equal((code, out), (0, ""), err)
    wait_for(lambda: "no server running" in client.run("ls")[2], 5, "the server has ended")


def test_a_client_one_version_newer_is_served(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main")
    served(a, Program(a, NEXT))


def test_a_client_one_version_older_is_served(t):
    a = t.amux()
    Program(a, NEXT).run("new-session", "-d", "-s", "main")
    equal(exe_of(a.pid()), NEXT)
    served(a, Program(a, harness.AMUX))


def test_a_client_too_new_becomes_the_servers_own_program(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main")
    becomes_the_servers(a, harness.AMUX, Program(a, FAR))


def test_a_client_too_old_becomes_the_servers_own_program(t):
    a = t.amux()
    equal(Program(a, FAR).run("new-session", "-d", "-s", "main")[0], 0)
    becomes_the_servers(a, FAR, Program(a, harness.AMUX))


def test_a_program_that_was_replaced_is_still_reached(t):
    a = t.amux()
    copy = os.path.join(a.dir, "amux-old")
    with open(FAR, "rb") as f, open(copy, "wb") as g:
        g.write(f.read())
    os.chmod(copy, 0o755)
    equal(Program(a, copy).run("new-session", "-d", "-s", "main")[0], 0)
    os.unlink(copy)
    code, out, err = a.run("ls", "-F", "#S")
    equal((code, out), (0, "main\n"), err)
    equal(a.run("kill-server")[0], 0)


def test_a_program_that_already_became_another_does_not_go_round(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "main", "cat")
    saved, a.env = a.env, {**a.env, "AMUX_REEXEC": "1"}
    code, out, err = Program(a, FAR).run("ls")
    a.env = saved
    equal((code, out, err.count("\n")), (1, "", 1), err)
    contains(err, "older")
    a.ok("has-session", "-t", "main")


if __name__ == "__main__":
    main()
