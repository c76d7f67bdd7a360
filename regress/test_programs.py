#!/usr/bin/env python3
"""Real programs in a pane: what they draw is what they draw in the terminal itself."""
import os
import re
import shutil
import subprocess

from harness import Skip, Terminal, equal, main


def need(name):
    if not shutil.which(name):
        raise Skip(f"no {name} here")


def seen(cell):
    """What can be seen of a cell: on a blank one without lines or reverse only the background."""
    text, width, fg, bg, flags = cell
    if text in ("", " ") and not set(flags) & set("urs"):
        return " ", width, bg
    return cell


def both(t, command, ready, keys=(), rows=24, cols=80, env=None, compare_cells=True):
    """Runs `command` directly in the terminal, and in amux with the status line off: after each step (keys, text to wait
    for) both screens must be equal, cell by cell."""
    a = t.amux(config="set -g status off\nset -g escape-time 0\n")
    e = dict(a.env, TERM="xterm-256color", COLORTERM="truecolor", **(env or {}))
    direct = Terminal(["sh", "-c", command], cols, rows, e, a.home)
    a.terminals.append(direct)
    inner = a.attach("new-session", command, cols=cols, rows=rows, env=env)
    steps = [(None, ready)] + list(keys)
    for send, text in steps:
        for c in (direct, inner):
            if send is not None:
                c.send(send)
            c.wait(text)
            c.settle(0.4)
        for y, (got, want) in enumerate(zip(inner.screen(), direct.screen())):
            equal(got, want, f"row {y} after {send!r}")
        equal(inner.cursor[2], direct.cursor[2], f"cursor shown after {send!r}")
        if direct.cursor[2]:
            equal(inner.cursor, direct.cursor, f"cursor after {send!r}")
        if compare_cells:
            for y in range(rows):
                got, want = inner.cells(y), direct.cells(y)
                for x, (g, w) in enumerate(zip(got, want)):
                    equal(seen(g), seen(w), f"cell {x},{y} after {send!r}")


def sample():
    return "".join(f"line {n} \\tint value_{n} = {n * 7}; // caf\u00e9 \u6a4b\n" for n in range(200))


def write_sample(t):
    path = f"/tmp/amux-sample-{os.getpid()}.c"
    with open(path, "w") as f:
        f.write(sample())
    t.cleanups.append(lambda: os.path.exists(path) and os.unlink(path))
    return path


def test_less_pages_and_searches(t):
    need("less")
    path = write_sample(t)
    both(t, f"less {path}", "line 0", [(" ", "line 23"), ("/value_150\r", "value_150"), ("G", "line 199"), ("g", "line 0")])


def test_vim_edits_with_syntax_and_splits(t):
    need("vim")
    path = write_sample(t)
    both(t, f"vim -n -N -u NONE -i NONE --cmd 'syntax on | set t_RV= t_u7= t_RB= t_RF= nomodeline ruler' {path}", "line 0",
         [("G", "line 199"), ("gg", "line 0"), ("oinserted text", "-- INSERT --"),
          ("\x1b", lambda rows: "-- INSERT --" not in rows[23] and "2,13" in rows[23]), (":split\r", "inserted text"),
          ("\x06", "value_"), ("dd", "line"), (":q!\r", "line"), ("ggVGd", "--No lines in buffer--")])


def test_dialog_draws_its_box(t):
    need("dialog")
    both(t, "dialog --no-mouse --title Title --menu 'Choose one' 15 50 4 a Alpha b Beta c Gamma", "Gamma",
         [("b", "Beta"), ("\t", "Cancel")])


def test_mc_shows_its_panels(t):
    need("mc")
    both(t, "cd /etc && mc -u -x -X --nosubshell -d", "1Help", [("\t", "1Help"), ("\x0e", "1Help")])


def test_git_log_in_colour(t):
    need("git")
    repo = f"/tmp/amux-repo-{os.getpid()}"
    t.cleanups.append(lambda: shutil.rmtree(repo, ignore_errors=True))
    env = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z", "GIT_AUTHOR_NAME": "A",
           "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}
    run = lambda *w: subprocess.run(["git", "-C", repo, *w], check=True, env=dict(os.environ, **env), stdout=subprocess.DEVNULL)
    os.mkdir(repo)
    run("init", "-q")
    for n in range(30):
        with open(f"{repo}/f", "a") as f:
            f.write(f"{n}\n")
        run("add", "f")
        run("commit", "-qm", f"change number {n}")
    both(t, f"git -C {repo} -c core.pager=less log --graph --color -p", "change number 29", [(" ", "diff --git")])


def test_tig_shows_history(t):
    need("tig")
    repo = f"/tmp/amux-tig-{os.getpid()}"
    t.cleanups.append(lambda: shutil.rmtree(repo, ignore_errors=True))
    subprocess.run(f"mkdir {repo} && cd {repo} && git init -q && for i in $(seq 20); do GIT_COMMITTER_DATE=2020-01-01T00:00:00Z "
                   "git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m msg-$i --date 2020-01-01T00:00:00Z; done",
                   shell=True, check=True)
    both(t, f"cd {repo} && tig", "msg-20", [("j", "msg-19"), ("\r", "Author")])


def test_htop_draws_and_quits(t):
    need("htop")
    a = t.amux()
    c = a.attach("new-session", "htop -d 100; echo AFTER-HTOP; cat", rows=30, cols=100)
    c.wait("F10")
    c.send("q")
    c.wait("AFTER-HTOP")
    assert "F10" not in c.text()


def test_bash_edits_a_long_line_with_history(t):
    need("bash")
    both(t, "PS1='> ' bash --norc --noprofile", ">",
         [("echo " + "word " * 30 + "end", "end"), ("\x01", "echo"), ("\x1bf\x1bf", "echo"), ("\x0b", "echo"), ("\x15\x19", "echo"), ("\r", "word")])


def test_zsh_draws_its_right_prompt(t):
    need("zsh")
    both(t, "env -u PS1 PROMPT='%B%F{green}left%f%b ' RPROMPT='[right]' zsh -f", "[right]", [("echo hello", "hello"), ("\r", "left"), ("\x12hel", "hello")])


def test_fish_suggests_and_colours(t):
    need("fish")
    a = t.amux()
    c = a.attach("new-session", "fish --no-config")
    c.wait(re.compile("[>#]"))
    c.send("echo ok-$(math 6 x 7)\r")
    c.wait("ok-42")


def test_python_prompt_edits(t):
    need("python3")
    both(t, "python3 -q", ">>>", [("print('a' * 3)\r", "aaa"), ("x = [1,\r", "..."), ("2]\r", ">>>"), ("\x1b[A\x1b[A", "x = [1,")])


def test_tmux_inside_amux(t):
    need("tmux")
    a = t.amux(config="set -g status off\n")
    c = a.attach("new-session", f"tmux -L inner{os.getpid()} -f /dev/null new 'bash --norc'")
    t.cleanups.append(lambda: subprocess.run(["tmux", "-L", f"inner{os.getpid()}", "kill-server"], stderr=subprocess.DEVNULL))
    c.wait("0:bash*")
    c.send("echo in''side\r")
    c.wait("inside")


if __name__ == "__main__":
    main()
