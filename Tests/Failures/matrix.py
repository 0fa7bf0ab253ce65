#!/usr/bin/env python3
"""The failure matrix: runs every front end in every condition, and prints what its host sees, when, and what is recorded.

    ROUTER_BIN=.build/debug Tests/Failures/matrix.py            # prints the page
    ROUTER_BIN=.build/debug Tests/Failures/matrix.py --write    # writes Docs/Failures.md

Arguments select front ends and conditions by a part of their name. The full disk needs root, to mount a small one, the unwritable
log needs a C compiler, and the old daemon and client need the programs of the last version, whose directory is ROUTER_OLD_BIN.
"""

import concurrent.futures
import contextlib
import dataclasses
import os
import pathlib
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time

from conditions import CONDITIONS, SWITCHED_OFF, Condition
from front_ends import FRONT_ENDS, FrontEnd, Result, wait_for
from places import Place

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "Docs" / "Failures.md"

# The time limit of each front end here, in seconds.
LIMIT = 3
# How much longer than its promise a front end may take on a busy machine.
SLACK = 3


def run(front_end: FrontEnd, place, deadline, meanwhile):
    """Runs a front end as its host does, until it ends or the deadline has passed."""
    variables = {**place.variables, "ROUTER_TIMEOUT": str(LIMIT), **front_end.variables}
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(
            front_end.command(place, LIMIT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=variables,
            cwd=place.directory, start_new_session=True)
        if meanwhile:
            helper = threading.Thread(target=meanwhile, args=(place, process))
            helper.start()
        output, has_replied = b"", not front_end.talks
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(front_end.input(LIMIT).encode())
            process.stdin.flush()
        if has_replied:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
        selector = selectors.DefaultSelector()
        selector.register(process.stdout, selectors.EVENT_READ)
        has_ended = False
        while (left := begin + deadline - time.monotonic()) > 0:
            if not selector.select(left):
                break
            part = os.read(process.stdout.fileno(), 65536)
            output += part
            reply = None if has_replied else front_end.reply(output.decode(errors="replace"))
            if reply is not None:
                has_replied = True
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write(reply.encode())
                    process.stdin.close()
            if not part:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.1, begin + deadline - time.monotonic()))
                    has_ended = True
                break
        seconds = time.monotonic() - begin
        if meanwhile:
            helper.join()
        if not has_ended:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    clean = lambda text: text.replace(place.directory + "/routerd.sock", "SOCKET").replace(place.directory, "DIRECTORY")
    return Result(process.returncode, clean(output.decode(errors="replace")), clean(text), seconds, has_ended)


def recorded(place, waits):
    """The outcomes of all prompts that the log has, once none is open. Waits for one, which a daemon may have yet to read."""
    log = []
    if waits:
        with contextlib.suppress(AssertionError):
            wait_for(lambda: place.call("GET", "/v1/log").get("presentations"), 2)

    def is_over():
        nonlocal log
        log = place.call("GET", "/v1/log").get("presentations")
        return log is not None and all(entry["state"] == "resolved" for entry in log)

    with contextlib.suppress(AssertionError):
        wait_for(is_over, 10)
    return ", ".join(words(entry) for entry in log or []) or "nothing"


def words(entry):
    outcome = entry["outcome"]
    if outcome is None:
        return "**still open**"
    kind, more = outcome["type"], outcome.get("reason") or outcome.get("phase")
    return f"`{kind}`" + (f" (`{more}`)" if more else "")


@dataclasses.dataclass
class Cell:
    front_end: FrontEnd
    condition: Condition
    sees: str
    ends: str
    person: str
    record: str
    allows: bool
    fault: str = None


def end(processes):
    for process in processes:
        process.kill()
        process.wait()


def measure(front_end, condition):
    promise = front_end.promise(LIMIT)
    deadline = (promise or LIMIT) + condition.patience + SLACK
    place, beside = Place(), []
    try:
        well = condition.prepare(place)
        beside = front_end.beside(place, LIMIT)
        result = run(front_end, place, deadline, condition.meanwhile)
        if condition.is_delayed:
            # What runs beside the front end is gone, too, when the daemon goes on.
            end(beside)
        well()
        record = recorded(place, waits=condition.is_delayed)
        if place.presenter and not place.presenter.acts and "present" in place.presenter.events:
            with contextlib.suppress(AssertionError):
                wait_for(lambda: place.presenter.events[-1] == "withdraw", 5)
        person = place.presenter.saw if place.presenter else "nothing"
    finally:
        end(beside)
        place.remove()
    cell = Cell(front_end, condition, "", "", person, record, False)
    cell.allows = result.has_ended and front_end.allows(result)
    if not result.has_ended:
        cell.sees = "nothing, until its host gives up"
        cell.ends = "does not end"
        if promise is not None:
            cell.ends = "**does not end**"
            cell.fault = "hangs beyond its promise"
    else:
        cell.sees = front_end.sees(result)
        if result.status < 0:
            cell.ends = "when the host ends it"
        elif condition.name == "slow daemon":
            cell.ends = "late"
        elif result.seconds < LIMIT - 0.5:
            cell.ends = "at once"
        elif condition.patience and result.seconds > LIMIT + 3:
            cell.ends = "after ten seconds" if result.seconds < 20 else "after 45 seconds" if result.seconds < 70 else "after 90 seconds"
        elif promise is None or result.seconds < LIMIT + 3:
            cell.ends = "at its limit"
        else:
            cell.ends = "before its host's limit"
    if cell.allows and front_end.stands_aside and condition.name.startswith(SWITCHED_OFF):
        cell.allows, cell.ends = False, f"{cell.ends}, without a question"
    elif cell.allows:
        cell.fault = "**allows**"
    elif "**" in record + person:
        cell.fault = cell.fault or "leaves the prompt open"
    return cell


def matrix(front_ends, conditions):
    """Measures the cells, and returns them in order, with the reasons why rows or columns were left out."""
    left_out = {each.name: why for each in [*front_ends, *conditions] if (why := each.needs())}
    pairs = [(a, b) for a in front_ends for b in conditions if a.name not in left_out and b.name not in left_out]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        # The longest ones first, but in the page's order.
        order = sorted(pairs, key=lambda pair: -pair[1].patience)
        futures = {(a.name, b.name): pool.submit(measure, a, b) for a, b in order}
        return [futures[a.name, b.name].result() for a, b in pairs], left_out


HEAD = """\
# When something fails

What each program sees, when, and what is on record, if the daemon, the presenter or the disk is away. A program runs all of it:
`Tests/Failures/matrix.py --write` writes this page, and a test compares it with a new run.

No cell may allow anything, and none may take longer than the front end promises.

{summary}

## Conditions

| condition | how the test makes it |
| --- | --- |
{conditions}

Each time limit is set to {limit} seconds, and "at once" is within {at_once} seconds. A front end without a limit "waits for its host". A
daemon that does not record a request within ten seconds, or sends nothing for 45, counts as gone. If the daemon is stopped, it
goes on (SIGCONT) before the record is read. `SOCKET` is the daemon's socket.

While Router is switched off, front ends act as if it were not installed: `ssh-agent` passes requests to the agent behind it.
`confirm` and `run` wait.

The old daemon and the old client are of the version before this one, which `scripts/test-versions` builds. It also lets the person
allow each prompt across the versions: every program then gets the permission.

Not measured: `agent opencode`, which needs OpenCode's server.

## Summary

{table}
"""


def short(cell):
    if cell.fault:
        return f"**{cell.fault.strip('*')}**"
    if cell.ends == "does not end":
        return "waits for its host"
    if cell.ends == "when the host ends it":
        return "withdrawn"
    if "runs instead" in cell.sees:
        return "the real program"
    return cell.ends


def row(cell):
    sees = cell.sees.replace("|", "\\|").replace("\n", " ")
    return f"| {cell.condition.name} | {sees} | {cell.ends} | {cell.person} | {cell.record} |\n"


def page(cells):
    front_ends = list({cell.front_end.name: cell.front_end for cell in cells}.values())
    conditions = list({cell.condition.name: cell.condition for cell in cells}.values())
    by_name = {(cell.front_end.name, cell.condition.name): cell for cell in cells}
    faults = [cell for cell in cells if cell.fault]
    count = f"{len(cells)} cells: {sum(cell.allows for cell in cells)} allow"
    summary = f"{count}. {len(faults)} break the promise" + (", in bold." if faults else ".")
    table = ["| front end | " + " | ".join(c.name for c in conditions) + " |", "| --- |" + " --- |" * len(conditions)]
    for front_end in front_ends:
        table.append(f"| {front_end.name} | " + " | ".join(short(by_name[front_end.name, c.name]) for c in conditions) + " |")
    text = HEAD.format(
        summary=summary, conditions="\n".join(f"| {c.name} | {c.how} |" for c in conditions), at_once=LIMIT - 0.5, limit=LIMIT,
        table="\n".join(table))
    for front_end in front_ends:
        text += f"\n## {front_end.name}\n\nTime limit: {front_end.limit}.\n\n"
        text += "| condition | the program sees | it ends | the person sees | on record |\n| --- | --- | --- | --- | --- |\n"
        for condition in conditions:
            text += row(by_name[front_end.name, condition.name])
    return text


def main(arguments):
    chosen = [word for word in arguments if not word.startswith("--")]
    select = lambda all: [each for each in all if any(word in each.name for word in chosen)] or all
    begin = time.monotonic()
    cells, left_out = matrix(select(FRONT_ENDS), select(CONDITIONS))
    for name, why in left_out.items():
        print(f"left out: {name}: {why}", file=sys.stderr)
    text = page(cells)
    if "--write" in arguments:
        if chosen or left_out:
            sys.exit("error: cannot write a page with parts left out")
        PAGE.write_text(text)
    else:
        print(text)
    print(f"{len(cells)} cells in {time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
