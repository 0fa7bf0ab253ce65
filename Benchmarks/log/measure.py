"""Runs each query with each tool and prints a table of medians; see README.md. Started by `run`."""

import datetime
import glob
import json
import os
import platform
import statistics
import subprocess
import sys
import time

routerctl, directory = sys.argv[1:3]
database = f"{directory}/router.db"
# systemd-journal-remote sometimes starts a new file; journalctl takes a pattern.
journal, audit, lines = (f"{directory}/{name}" for name in ("events*.journal", "audit.log", "events.jsonl"))
environment = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8", NO_COLOR="1")


def seconds(command):
    """Returns how long a program or pipeline takes, with its output discarded."""
    program = command if isinstance(command, list) else ["/bin/sh", "-c", command]
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)]
    begin = time.perf_counter()
    pid = os.posix_spawnp(program[0], program, environment, file_actions=actions)
    _, status = os.waitpid(pid, 0)
    end = time.perf_counter()
    os.close(null)
    code = os.waitstatus_to_exitcode(status)
    # ausearch and grep exit with 1 if they find nothing.
    if code not in (0, 1):
        sys.exit(f"cannot measure: {command} ended with {code}")
    return end - begin


def measure(command):
    """Returns the median in milliseconds, after one warm-up: of 31 quick runs or three slow ones, or a single run if it takes more
    than 20 seconds."""
    first = seconds(command)
    if first > 20:
        return first * 1000
    runs = 31 if first < 0.1 else 7 if first < 3 else 3
    return statistics.median(seconds(command) for _ in range(runs)) * 1000


def output(*arguments):
    return subprocess.run([routerctl, *arguments, "--database", database], env=environment, capture_output=True, text=True, check=True).stdout


newest = json.loads(output("log", "-n", "1", "--json"))["requestedAt"]
# One hour in the middle.
middle = datetime.datetime.fromisoformat(newest.rstrip("Z")) - datetime.timedelta(days=30)
start = middle.replace(minute=0, second=0, microsecond=0)
end = start + datetime.timedelta(hours=1)
since, until = (moment.strftime("%Y-%m-%d %H:%M:%S") for moment in (start, end))
zulu = [moment.strftime("%Y-%m-%dT%H:%M:%S.000Z") for moment in (start, end)]
american = [moment.strftime("%m/%d/%y") for moment in (start, end)]
clock = [moment.strftime("%H:%M:%S") for moment in (start, end)]
app, rare, common, part = "payroll", "quokka", "deploy", "uokk"


def ours(*arguments):
    return [routerctl, "log", *arguments, "--database", database]


def journalctl(*arguments):
    return ["journalctl", "--quiet", "--no-pager", f"--file={journal}", *arguments]


# A program that does nothing, as the baseline.
floor = ["/bin/true"]
outcomes = '"answered","dismissed","cancelled","expired","failed"'
questions = [
    ("newest 100", {
        "routerctl": ours("-n", "100"),
        "journalctl": journalctl("-n", "100"),
        "ausearch": f"ausearch -if {audit} --format text | tail -n 100",
        "jq": f"tail -n 100 {lines} | jq -c .",
        "grep": f"tail -n 100 {lines}",
    }),
    ("one app in one hour", {
        "routerctl": ours("--app", app, "--since", since, "--until", until),
        "journalctl": journalctl(f"SYSLOG_IDENTIFIER={app}", f"--since={since}", f"--until={until}"),
        "ausearch": f"ausearch -if {audit} -ts {american[0]} {clock[0]} -te {american[1]} {clock[1]} -x /usr/bin/{app} --format text",
        "jq": f"jq -c 'select(.app == \"{app}\" and .at >= \"{zulu[0]}\" and .at < \"{zulu[1]}\")' {lines}",
        "grep": f"grep -F '\"app\":\"{app}\"' {lines} | grep -F '\"at\":\"{zulu[0][:13]}'",
    }),
    ("outcomes per day", {
        "routerctl": ours("stats", "--by", "day"),
        "journalctl": " ".join(journalctl("-o", "json", "--output-fields=OUTCOME,__REALTIME_TIMESTAMP"))
        + " | jq -r 'select(.OUTCOME) | \"\\(.__REALTIME_TIMESTAMP[:-6] | tonumber / 86400 | floor) \\(.OUTCOME)\"' | sort | uniq -c",
        "ausearch": f"ausearch -if {audit} --format csv | cut -d, -f4,9 | sort | uniq -c",
        "jq": f"jq -r 'select(.type == ({outcomes})) | \"\\(.at[:10]) \\(.type)\"' {lines} | sort | uniq -c",
        "grep": f"grep -oE '\"at\":\"[0-9-]{{10}}T[0-9:.]*Z\",\"type\":\"(answered|dismissed|cancelled|expired|failed)\"' {lines} | cut -c7-16,32- | sort | uniq -c",
    }),
    (f"a rare word ({rare})", {
        "routerctl": ours("--search", rare),
        "journalctl": journalctl("-g", rare),
        "ausearch": f"ausearch -if {audit} --format raw | grep {rare}",
        "jq": f"jq -c 'select(.detail.request.message // \"\" | test(\"{rare}\"; \"i\"))' {lines}",
        "grep": f"grep -iF {rare} {lines}",
    }),
    (f"a common word ({common}), the newest 100", {
        "routerctl": ours("--search", common, "-n", "100"),
        "journalctl": journalctl("-g", common, "-n", "100"),
        "ausearch": f"ausearch -if {audit} --format raw | grep -i {common} | tail -n 100",
        "jq": f"jq -c 'select(.detail.request.title // \"\" | test(\"{common}\"; \"i\"))' {lines} | tail -n 100",
        "grep": f"tac {lines} | grep -iF -m 100 {common}",
    }),
    (f"a part of a word ({part})", {
        "routerctl": ours("--search", f"*{part}"),
        "journalctl": journalctl("-g", part),
        "ausearch": f"ausearch -if {audit} --format raw | grep -i {part}",
        "jq": f"jq -c 'select(.detail.request.message // \"\" | test(\"{part}\"; \"i\"))' {lines}",
        "grep": f"grep -iF {part} {lines}",
    }),
    ("reindex", {"routerctl": ours("reindex")}),
    ("verify", {
        "routerctl": ours("verify"),
        "journalctl": ["journalctl", "--verify", f"--file={journal}"],
    }),
]

tools = os.environ.get("ROUTER_TOOLS", "routerctl,journalctl,ausearch,jq,grep").split(",")
count = output("log", "-n", "1", "--events", "--json")
print(f"{json.loads(count)['seq']:,} events, {os.cpu_count()} cores, {platform.machine()}, milliseconds, medians")
for name in (database, journal, audit, lines):
    size = sum(os.path.getsize(path) for path in glob.glob(name))
    print(f"{os.path.basename(name)}: {size / 1e6:,.0f} MB")
print(f"a program that does nothing: {measure(floor):.1f}")
print("\n| question | " + " | ".join(tools) + " |\n| --- |" + " --- |" * len(tools))
for question, commands in questions:
    cells = [f"{measure(commands[tool]):,.1f}" if tool in commands else "" for tool in tools]
    print(f"| {question} | " + " | ".join(cells) + " |", flush=True)
