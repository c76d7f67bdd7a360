#!/usr/bin/env python3
"""The whole way over a real sshd on 127.0.0.1: attach, a cut link, attach again; and a lost socket directory."""
import os
import pwd
import shutil
import signal
import socket
import subprocess

from harness import AMUX, Skip, Terminal, alive, contains, equal, main, wait_for


class Sshd:
    def __init__(self, t, a):
        sshd = shutil.which("sshd") or "/usr/sbin/sshd"
        if not os.access(sshd, os.X_OK):
            raise Skip("no sshd here")
        self.a, self.dir = a, os.path.join(a.dir, "ssh")
        os.mkdir(self.dir, 0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{self.dir}/{name}"], check=True)
        shutil.copy(f"{self.dir}/user.pub", f"{self.dir}/authorized_keys")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        env = " ".join(f'"{k}={v}"' for k, v in a.env.items() if k not in ("TERM", "PATH") and " " not in v)
        with open(f"{self.dir}/config", "w") as f:
            f.write(f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.dir}/host\nPidFile none\n"
                    f"AuthorizedKeysFile {self.dir}/authorized_keys\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
                    f"PasswordAuthentication no\nKbdInteractiveAuthentication no\nPrintMotd no\nSetEnv {env}\n")
        if os.getuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        self.proc = subprocess.Popen([sshd, "-D", "-e", "-f", f"{self.dir}/config"], stderr=subprocess.PIPE, env=a.env)
        t.cleanups.append(self.close)
        wait_for(self.answers, 10, "sshd answers")

    def answers(self):
        if self.proc.poll() is not None:
            raise Skip("sshd does not run here: " + self.proc.stderr.read().decode()[-300:])
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.port)) == 0

    def argv(self, command):
        return ["ssh", "-tt", "-p", str(self.port), "-i", f"{self.dir}/user", "-o", "StrictHostKeyChecking=no", "-F", "none",
                "-o", f"UserKnownHostsFile={self.dir}/known", "-o", "LogLevel=ERROR", "-o", "IdentitiesOnly=yes",
                f"{pwd.getpwuid(os.getuid()).pw_name}@127.0.0.1", command]

    def attach(self, command, cols=80, rows=24):
        c = Terminal(self.argv(command), cols, rows, dict(self.a.env, TERM="xterm-256color"), self.a.home)
        self.a.terminals.append(c)
        return c

    def close(self):
        self.proc.terminate()
        self.proc.wait(10)


def test_a_session_outlives_the_connection_that_shows_it(t):
    a = t.amux()
    s = Sshd(t, a)
    new = " ".join(a.argv("new-session", "-s", "remote", "bash", "--norc"))
    attach = " ".join(a.argv("attach-session", "-t", "remote"))
    c = s.attach(new)
    c.wait("[remote] 0:bash*")
    c.send("echo $((6*7))-over-ssh\r")
    c.wait("42-over-ssh")
    c.send("printf '\\033[2J\\033[H\\033[1;32mgreen\\033[0m \\033[7mrev\\033[0m\\033[12;30Hmiddle\\033[5 q'; sleep 1000\r")
    c.wait("middle")
    c.settle()
    rows, cursor, cells = c.screen(), c.cursor, [c.cells(y) for y in range(23)]
    pid = a.pid()
    client = int(a.ok("list-clients", "-F", "#{client_pid}").strip())
    c.signal(signal.SIGKILL)  # the link is cut
    wait_for(lambda: not alive(client), 10, "the client went away")
    equal(a.pid(), pid)
    equal(a.show("#{session_attached}", "remote"), "0")
    d = s.attach(attach)
    d.wait("middle")
    d.settle()
    equal(d.screen()[:23], rows[:23])
    equal(d.cursor, cursor)
    for y in range(23):
        equal(d.cells(y), cells[y], f"row {y}")
    equal(d.state()["shape"], c.state()["shape"])
    d.send("\x03echo ba''ck\r")
    d.wait("back")
    d.send("\x02d")
    equal(d.exit(), 0)
    contains(d.text(), "[detached (from session remote)]")
    e = s.attach(" ".join(a.argv("ls")))
    e.exit()
    contains(e.text(), "remote: 1 windows")


def test_the_server_lives_on_when_its_socket_goes_and_the_socket_comes_back(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "keep", "cat")
    path, pid = a.show("#{socket_path}"), a.pid()
    pane = a.show("#{pane_pid}")
    os.unlink(path)
    wait_for(lambda: os.path.exists(path), 5, "the socket is made again")
    equal(a.pid(), pid)
    os.rename(os.path.dirname(path), a.dir + "/elsewhere")
    wait_for(lambda: os.path.exists(path), 5, "directory and socket are made again")
    equal(oct(os.stat(os.path.dirname(path)).st_mode & 0o777), "0o700")
    equal(a.pid(), pid)
    equal(a.show("#{pane_pid}"), pane)


def test_sigusr1_makes_the_socket_again(t):
    a = t.amux()
    a.ok("new-session", "-d", "-s", "keep", "cat")
    path, pid = a.show("#{socket_path}"), a.pid()
    before = os.stat(path).st_ino
    os.kill(pid, signal.SIGUSR1)
    wait_for(lambda: os.path.exists(path) and os.stat(path).st_ino != before or a.run("ls")[0] == 0, 5, "socket answers")
    equal(a.pid(), pid)


if __name__ == "__main__":
    main()
