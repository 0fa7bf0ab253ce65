"""The job about surfaces that several daemons share through PostgreSQL, beside a queue with SKIP LOCKED on the same settings."""

import contextlib
import glob
import json
import os
import statistics
import subprocess
import sys
import time

import peers

ROOT = f"{peers.HERE}/../.."


class Shared(peers.Postgres):
    """Daemons on one machine, each as a separate host; see router_load.c for who asks and presents where."""

    def __init__(self, daemons, surfaces, *where):
        super().__init__(*where)
        self.surfaces = surfaces
        self.hosts = ["alpha", "beta", "gamma"][:daemons]
        self.name = f"Router, {['one daemon', 'two daemons', 'three daemons'][daemons - 1]}"

    def sql(self, *arguments):
        command = ["env", "PGOPTIONS=-c client_min_messages=error", f"{self.programs_of_it}/psql", "-XqAt", "-F", ":", "-v",
                   "ON_ERROR_STOP=1", "-d", self.conninfo(), *arguments]
        return peers.output(command).decode().split()

    @contextlib.contextmanager
    def running(self):
        with super().running(), contextlib.ExitStack() as stack:
            self.await_server()
            self.sql("-f", f"{ROOT}/Config/shared.sql", *(
                word for host in self.hosts for word in ("-c", f"SELECT router.add_host('{host}', may_lead => true)")))
            self.daemons = []
            for number in range(len(self.hosts)):
                self.daemons.append(stack.enter_context(self.daemon(number)))
                # The first daemon leads a single surface. All start at once to share the lead of many.
                if self.surfaces == 1:
                    self.await_leaders()
            self.await_leaders()
            # A new leader waits a second for the other hosts' presenters.
            time.sleep(3)
            yield self

    def await_leaders(self):
        while len(glob.glob(f"{self.directory}/*.shared/*.db")) < self.surfaces * len(self.daemons) or self.sql(
                "-c", "SELECT count(*) FROM router.surfaces WHERE leader IS NOT NULL") != [str(self.surfaces)]:
            time.sleep(0.1)

    @contextlib.contextmanager
    def daemon(self, number):
        """Starts a daemon. It joins every N-th pair of surfaces first, to lead them, and then the others."""
        host, count = self.hosts[number], len(self.hosts)
        names = sorted(range(self.surfaces), key=lambda surface: (surface // 2 - number) % count)
        limits = {f"ROUTERD_LIMITS_{name}": "1000000" for name in ("PER_SURFACE", "PER_USER", "TOTAL")}
        shared = {"DATABASE": self.conninfo(host), "SURFACES": ",".join(f"load-shared-{name}" for name in names), "HOST": host}
        process = subprocess.Popen(
            [f"{self.programs}/routerd", "--socket", f"{self.directory}/{host}", "--database", f"{self.directory}/{host}.db"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.directory,
            env=dict(os.environ, **limits, **{f"ROUTERD_SHARED_{name}": value for name, value in shared.items()}))
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def load(self, requesters, surfaces, count):
        before = self.daemons_time()
        sockets = ",".join(f"{self.directory}/{host}" for host in self.hosts)
        result = json.loads(peers.output([f"{self.build}/router_load", sockets, requesters, surfaces, count, "keyed", "shared"]))
        result["daemons"] = (self.daemons_time() - before) / count
        result["leaders"] = self.sql("-c", "SELECT leader, count(*) FROM router.surfaces GROUP BY leader ORDER BY leader")
        return result

    def daemons_time(self):
        return sum(self.processor_time(process) for process in self.daemons)


# Each load: requesters, surfaces, and how many presentations the queue with SKIP LOCKED and Router complete in a few seconds.
LOADS = {
    "one requester, one surface": (1, 1, 1500, 500),
    "64 requesters, one surface, one prompt at a time": (64, 1, 1500, 3000),
    "64 requesters on 64 surfaces": (64, 64, 3000, 3000),
}


def shared(where, rounds):
    """Measures shared surfaces with one, two and three daemons. PostgreSQL's processor time is apart from the daemons'."""
    programs = peers.output([f"{ROOT}/scripts/build-release", "--postgresql", "routerd"]).decode().strip()
    where = (programs, *where[1:])
    for title, (requesters, surfaces, queued, presented) in LOADS.items():
        subjects = [(peers.Postgres(*where), queued, [])] + [(Shared(daemons, surfaces, *where), presented, []) for daemons in (1, 2, 3)]
        for number in range(rounds):
            for peer, count, results in subjects:
                results.append(peer.measure(requesters, surfaces, count))
            print(f"shared: {title}: round {number + 1} of {rounds}", file=sys.stderr)
        print(f"\n### shared: {title}\n\n| | median ms | 99th percentile ms | a second | daemons' processor ms each | "
              "PostgreSQL's | latency, times SKIP LOCKED's | rate, times SKIP LOCKED's |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        queue = subjects[0][2]
        for peer, _, results in subjects:
            p50, p99, rate, daemons, server = (statistics.median(column) for column in zip(*(
                (r["latency"]["p50"], r["latency"]["p99"], r["perSecond"], r.get("daemons", 0), r["processor"]) for r in results)))
            latencies = [r["latency"]["p50"] / other["latency"]["p50"] for r, other in zip(results, queue)]
            rates = [r["perSecond"] / other["perSecond"] for r, other in zip(results, queue)]
            print(f"| {peer.name} | {p50 * 1e3:.3f} | {p99 * 1e3:.3f} | {rate:,.0f} | {daemons * 1e3:.3f} | {server * 1e3:.3f} | "
                  f"{spread(latencies)} | {spread(rates)} |", flush=True)
        print("\nLeaders in the last round: " + "; ".join(
            f"{peer.name}: {', '.join(results[-1]['leaders'])}" for peer, _, results in subjects[1:]))


def spread(ratios):
    """Returns the median of the rounds' ratios, with the smallest and the largest."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


JOBS = {"shared": shared}
