"""Runs jobs in rounds, with all peers in each round, and prints tables of medians; see README.md. Started by `run`."""

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import tempfile

import peers
import processes
import shared
import waiting

parser = argparse.ArgumentParser(prog="run", formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help=argparse.SUPPRESS)
parser.add_argument("build", help=argparse.SUPPRESS)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--directory", default="/var/tmp")

# Each job: the load, and for each peer the number of presentations it completes in a second or two.
LOADS = {
    "single": (
        "one requester, one surface",
        (1, 1),
        {
            "Router": 3000, "Broker": 4000, "OverlapBroker": 3000, "Redis": 3000, "Postgres": 1500, "Aiohttp": 1500,
            "fdatasync": 5000, "sqlite": 5000, "ping-pong": 50000,
        },
    ),
    "queue": (
        "64 requesters, one surface, one prompt at a time",
        (64, 1),
        {
            "Router": 10000, "Broker": 5000, "TurnBroker": 10000, "OverlapBroker": 20000, "Redis": 4000, "Postgres": 1500,
            "Aiohttp": 2500,
        },
    ),
    "surfaces": (
        "64 requesters on 64 surfaces",
        (64, 64),
        {"Router": 15000, "Broker": 5000, "TurnBroker": 30000, "OverlapBroker": 30000, "Redis": 8000, "Postgres": 3000,
         "Aiohttp": 2500},
    ),
    "relaxed": (
        "`durability: relaxed`, one requester",
        (1, 1),
        {"RelaxedRouter": 5000, "DBus": 10000},
    ),
    "detached": (
        "accepting detached requests from 64 clients",
        (64, 1, "detached"),
        {"Router": 20000, "sqlite-group": 64000},
    ),
}
FLOORS = {
    "fdatasync": "floor: append and fdatasync, once",
    "sqlite": "floor: SQLite, one commit of two rows",
    "sqlite-group": "floor: SQLite, 64 times two rows a commit",
    "ping-pong": "floor: a byte over a Unix socket and back",
}
OTHERS = {**waiting.JOBS, **processes.JOBS, **shared.JOBS}
parser.add_argument("jobs", nargs="*", metavar="JOB", help="what to measure, of: " + ", ".join([*LOADS, *OTHERS]))


def microseconds(seconds):
    return f"{seconds * 1e3:.3f}"


def run_load(name, where, rounds):
    title, load, subjects = LOADS[name]
    rows = {}
    for key, count in subjects.items():
        peer = peers.Floor(key, FLOORS[key], *where) if key in FLOORS else getattr(peers, key)(*where)
        rows[key] = (peer, count, [])
    if "Router" in subjects:
        for directory in filter(None, os.environ.get("ROUTER_EARLIER", "").split(":")):
            rows[directory] = (peers.EarlierRouter(directory, *where), subjects["Router"], [])
    for number in range(rounds):
        for peer, count, results in rows.values():
            options = load[2:] if isinstance(peer, peers.Router) else ()
            results.append(peer.measure(*load[:2], count, *options))
        print(f"{name}: round {number + 1} of {rounds}", file=os.sys.stderr)
    medians = {
        key: [statistics.median(pick(result) for result in results) for pick in
              (lambda r: r["latency"]["p50"], lambda r: r["latency"]["p99"], lambda r: r["perSecond"],
               lambda r: r.get("processor", 0))]
        for key, (_, _, results) in rows.items()
    }
    ours = next(iter(medians.values()))
    print(f"\n### {title}\n\n| | median ms | 99th percentile ms | a second | processor ms each | latency, times Router's | "
          "rate, Router's over it | processor, times Router's |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for key, (peer, _, results) in rows.items():
        p50, p99, rate, processor = medians[key]
        print(f"| {peer.name} | {microseconds(p50)} | {microseconds(p99)} | {rate:,.0f} | {microseconds(processor)} | "
              f"{p50 / ours[0]:.2f} | {ours[2] / rate:.2f} | {processor / ours[3]:.2f} |", flush=True)
    rates = sorted(round(result["perSecond"]) for result in next(iter(rows.values()))[2])
    print(f"\nMedians of {rounds} rounds; Router's rates were {', '.join(f'{rate:,}' for rate in rates)}.")


def main():
    options = parser.parse_intermixed_args()
    for job in options.jobs:
        if job not in LOADS and job not in OTHERS:
            parser.error(f"there is no job {job}; there are: {', '.join([*LOADS, *OTHERS])}")
    directory = tempfile.mkdtemp(prefix="router-peers-", dir=options.directory)
    where = (options.programs, options.build, directory)
    version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    print(f"{os.cpu_count()} processors, Linux {platform.release()}, {version}")
    try:
        for job in options.jobs or [*LOADS, *OTHERS]:
            run_load(job, where, options.rounds) if job in LOADS else OTHERS[job](where, options.rounds)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


main()
