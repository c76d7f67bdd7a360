#!/usr/bin/env python3
"""The manual says everything that the tables of commands and options hold, and is well-formed; completions are valid."""
import os
import re
import shutil
import subprocess

from harness import BUILD, TOP, Skip, equal, main

AMUX1 = os.path.join(TOP, "man", "amux.1")
CONF5 = os.path.join(BUILD, "man", "amux.conf.5")


def tables():
    out = subprocess.run([os.path.join(BUILD, "man", "generate"), "tables"], capture_output=True, text=True, check=True).stdout
    return [line.split("\t") for line in out.splitlines()]


def entries():
    """Command name -> the text of its entry."""
    with open(AMUX1) as f:
        text = f.read().split(".Sh COMMANDS")[1].split(".Sh COPY MODE")[0]
    found = {}
    for part in re.split(r"\n\.It ", text)[1:]:
        found[re.match(r"(?:Xo )?Ic (\S+)", part).group(1)] = part
    return found


def test_every_command_alias_and_flag_has_its_place_in_the_manual(t):
    man = entries()
    commands = [row for row in tables() if row[0] == "command"]
    equal(sorted(man), sorted(row[1] for row in commands))
    for _, name, alias, flags in commands:
        text = man[name]
        if alias:
            assert f"alias: Ic {alias}\n" in text, f"{name}: alias {alias}"
        synopsis = "".join(re.findall(r"\.(?:Op )?Fl (\w+)", text.split(".Xc")[0]))
        equal(sorted(set(synopsis)), sorted(set(flags) - {":"}), f"{name}: flags in its synopsis")
        prose = text.split(".Xc")[-1]
        said = "".join(re.findall(r"Fl (\w+(?: , \w+)*)", prose)).replace(" , ", "")
        # A flag with a value is told by its argument's name in the synopsis; the others need words.
        unsaid = set(re.findall(r"(\w)(?!:)", flags)) - set(re.findall(r"(\w):", flags)) - set(said)
        assert not unsaid, f"{name}: nothing is said of -{' -'.join(sorted(unsaid))}"


def test_every_option_has_its_entry(t):
    with open(CONF5) as f:
        text = f.read()
    named = re.findall(r"^\.It Ic ([\w-]+)", text, re.M)
    equal(sorted(named), sorted(row[1] for row in tables() if row[0] == "option"))


def test_the_manual_is_well_formed(t):
    if not shutil.which("mandoc"):
        raise Skip("no mandoc here")
    for page in (AMUX1, CONF5):
        out = subprocess.run(["mandoc", "-Tlint", page], capture_output=True, text=True).stdout
        bad = [l for l in out.splitlines() if "referenced manual not found" not in l]
        equal(bad, [], page)


def test_the_completions_are_valid_and_name_every_command(t):
    for shell, check in (("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "-n"])):
        path = os.path.join(BUILD, "man", f"completion.{shell}")
        with open(path) as f:
            text = f.read()
        for row in tables():
            if row[0] == "command":
                assert row[1] in text, f"{shell}: {row[1]}"
        if shutil.which(shell):
            subprocess.run(check + [path], check=True)


def test_bash_completes_commands_flags_and_options(t):
    script = f"""
source {BUILD}/man/completion.bash
try() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _amux; echo "${{COMPREPLY[*]}}"; }}
try amux kill-se
try amux -L x detach-client -
try amux set-option status-left-l
"""
    out = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.splitlines()
    equal(out, ["kill-server kill-session", "-a -E -s -t -P", "status-left-length"])


if __name__ == "__main__":
    main()
