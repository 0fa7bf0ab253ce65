"""Jobs about waiting requests and idle time: memory, long queues, start, idle, processor time."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import peers
from calls import Connection, Presenter, ask_bytes, call_bytes, fill


def said(name, number, rounds):
    print(f"{name}: round {number + 1} of {rounds}", file=sys.stderr)


def processor_ticks(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def settle(pid):
    """Waits until a process has been idle for half a second."""
    before = -1
    while before != (before := processor_ticks(pid)):
        time.sleep(0.5)


def requests():
    """Returns the bytes that each peer's waiting requester sends."""
    http = ask_bytes("waiting")
    push = [b"RPUSH", b"surface:waiting", b"x" * len(http)]
    wait = [b"BLPOP", b"answer:waiting", b"0"]
    redis = b"".join(
        b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words) for words in (push, wait)
    )
    return {"Router": http, "Aiohttp": http, "Redis": redis, "Broker": b"A waiting\n"}


def memory(where, rounds):
    """Measures resident memory with 1,000 and 10,000 waiting attached requesters, and a presentation's latency meanwhile."""
    rows = {(key, count): [] for count in (1000, 10_000) for key in requests()}
    for number in range(rounds):
        for key, count in rows:
            peer = getattr(peers, key)(*where)
            with peer.running():
                peer.load(1, 1, 500)
                settle(peer.process.pid)
                empty, alone = peer.memory(), peer.load(1, 1, 1000)["latency"]["p50"]
                with tempfile.NamedTemporaryFile() as file:
                    file.write(requests()[key])
                    file.flush()
                    holder = subprocess.Popen([f"{where[1]}/hold", peer.socket, str(count), file.name], stdin=subprocess.PIPE,
                                              stdout=subprocess.PIPE)
                    if holder.stdout.readline() != b"held\n":
                        sys.exit("cannot measure: not all connections were taken")
                    settle(peer.process.pid)
                    full, beside = peer.memory(), peer.load(1, 1, 1000)["latency"]["p50"]
                    rows[key, count].append((full, (full - empty) / count, alone, beside))
                    holder.stdin.close()
                    holder.wait()
        said("memory", number, rounds)
    print("\n### attached requesters that wait\n")
    print("| | waiting | resident MB | KB each | latency alone ms | latency beside them ms |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for (key, count), results in rows.items():
        full, each, alone, beside = (statistics.median(column) for column in zip(*results))
        print(f"| {getattr(peers, key).name} | {count:,} | {full / 1e6:.1f} | {each / 1e3:.1f} | {alone * 1e3:.3f} | {beside * 1e3:.3f} |",
              flush=True)


def timed(body):
    before = time.perf_counter()
    result = body()
    return time.perf_counter() - before, result


def backlog(where, rounds):
    """Measures another request, an answer and a cancellation on a surface with a long queue."""
    rows = {100: [], 100_000: []}
    for number in range(rounds):
        for count, results in rows.items():
            peer = peers.Router(*where)
            with peer.running():
                fill(peer.socket, "main", count)
                settle(peer.process.pid)
                times = {"one more": [], "a cancellation": [], "an answer": []}
                connection = Connection(peer.socket)
                for _ in range(300):
                    connection.send(ask_bytes("main", detached=True))
                    seconds, made = timed(connection.reply)
                    times["one more"].append(seconds)
                    seconds, _ = timed(lambda: connection.call("DELETE", f"/v1/presentations/{made['id']}"))
                    times["a cancellation"].append(seconds)
                presenter = Presenter(peer.socket, "main")
                for _ in range(90):
                    shown = presenter.next()
                    answer = {"button": "deploy", "generation": shown["generation"]}
                    seconds, _ = timed(lambda: connection.call("POST", f"/v1/presentations/{shown['id']}/answer", answer))
                    times["an answer"].append(seconds)
                results.append([statistics.median(values) for values in times.values()])
        said("backlog", number, rounds)
    print("\n### detached requests waiting on one surface\n\n| waiting | one more ms | a cancellation ms | an answer ms |\n| ---: | ---: | ---: | ---: |")
    for count, results in rows.items():
        print(f"| {count:,} | " + " | ".join(f"{statistics.median(column) * 1e3:.3f}" for column in zip(*results)) + " |", flush=True)


def start(where, rounds):
    """Measures the time from start until ready, with a million recorded presentations and 10,000 open ones."""
    kept = "/var/tmp/router-peers-million.db"
    peer = peers.Router(*where)
    if not os.path.exists(kept):
        print(f"start: making {kept}, which takes some minutes and is kept", file=sys.stderr)
        with peer.running():
            # The load adds a tenth as warm-up: a million in all.
            peer.load(64, 64, 909_091)
            fill(peer.socket, "main", 10_000)
            settle(peer.process.pid)
            subprocess.run([f"{where[0]}/routerctl", "log", "backup", kept, "--database", f"{peer.directory}/log.db"], check=True,
                           stdout=subprocess.DEVNULL)
    times = []
    for number in range(rounds):
        directory = f"{where[2]}/start"
        os.mkdir(directory, 0o700)
        shutil.copyfile(kept, f"{directory}/log.db")
        os.chmod(f"{directory}/log.db", 0o600)
        os.sync()
        before = time.perf_counter()
        process = subprocess.Popen([f"{where[0]}/routerd", "--socket", f"{directory}/s", "--database", f"{directory}/log.db"],
                                   env=peer.environment(), stderr=subprocess.DEVNULL)
        peers.await_socket(f"{directory}/s", process)
        Connection(f"{directory}/s").send(call_bytes("GET", "/healthz"))
        connection = Connection(f"{directory}/s")
        connection.send(call_bytes("GET", "/v1/status"))
        status = connection.reply()
        times.append(time.perf_counter() - before)
        if status["open"] != 10_000:
            sys.exit(f"cannot measure: {status['open']} are open, not 10,000")
        resident = peers.resident(process.pid)
        process.terminate()
        process.wait()
        shutil.rmtree(directory)
        said("start", number, rounds)
    print("\n### start with a million presentations on record and 10,000 open\n")
    print(f"Ready after {statistics.median(times) * 1e3:.0f} ms (median of {rounds}; at most {max(times) * 1e3:.0f} ms), with "
          f"{resident / 1e6:.1f} MB resident.", flush=True)


def switches(pid):
    """Returns the number of context switches of each thread."""
    counts = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status") as status:
            counts[thread] = sum(int(line.split()[1]) for line in status if "ctxt_switches" in line)
    return counts


def idle(where, rounds):
    """Measures how often an idle daemon wakes in ten seconds after some work, and its memory."""
    results = []
    for number in range(rounds):
        peer = peers.Router(*where)
        with peer.running():
            fresh = peer.memory()
            peer.load(1, 1, 500)
            time.sleep(2)
            before = switches(peer.process.pid)
            time.sleep(10)
            # Threads that ended meanwhile are not counted; new ones are counted in full.
            wakes = sum(count - before.get(thread, 0) for thread, count in switches(peer.process.pid).items())
            results.append((wakes, fresh, peer.memory()))
        said("idle", number, rounds)
    wakes, fresh, used = (statistics.median(column) for column in zip(*results))
    print(f"\n### idle\n\nWake-ups of all threads in ten seconds: {wakes:.0f} (at most {max(r[0] for r in results)}). Resident: "
          f"{fresh / 1e6:.1f} MB after the start, {used / 1e6:.1f} MB after 550 presentations.", flush=True)


def processor(where, rounds):
    """Measures a service's processor time per presentation, which excludes waiting for a processor."""
    subjects, loads = ("Router", "Broker", "Redis", "Aiohttp"), ((1, 1, 1000), (64, 1, 1000))
    rows = {(key, load): [] for load in loads for key in subjects}
    for number in range(rounds):
        for key, load in rows:
            peer = getattr(peers, key)(*where)
            with peer.running():
                peer.load(1, 1, 100)
                before = processor_ticks(peer.process.pid)
                peer.load(*load)
                seconds = (processor_ticks(peer.process.pid) - before) / os.sysconf("SC_CLK_TCK")
                # The load adds a tenth as warm-up.
                rows[key, load].append(seconds / (load[2] * 1.1))
        said("processor", number, rounds)
    print("\n### processor time of the service for each presentation\n\n| | requesters | ms |\n| --- | ---: | ---: |")
    for (key, load), results in rows.items():
        print(f"| {getattr(peers, key).name} | {load[0]} | {statistics.median(results) * 1e3:.2f} |", flush=True)


JOBS = {"processor": processor, "memory": memory, "backlog": backlog, "start": start, "idle": idle}
