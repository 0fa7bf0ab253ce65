"""The measured services: each starts in its own directory, takes a load, and is stopped."""

import contextlib
import glob
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def await_socket(path, process):
    """Waits until a service listens on a socket."""
    for _ in range(2000):
        with socket.socket(socket.AF_UNIX) as connection:
            with contextlib.suppress(OSError):
                connection.connect(path)
                return
        if process.poll() is not None:
            sys.exit(f"cannot measure: {process.args[0]} ended with {process.returncode}")
        time.sleep(0.005)
    sys.exit(f"cannot measure: {process.args[0]} does not listen at {path}")


def output(command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, timeout=1800).stdout


class Peer:
    """A service during one measurement."""

    name = ""

    def __init__(self, programs, build, directory):
        self.programs, self.build, self.base = programs, build, directory
        self.process = None

    def command(self):
        """Returns the command that starts the service."""
        raise NotImplementedError

    def load(self, requesters, surfaces, count):
        """Puts a load on the service and returns the output of the load generator."""
        raise NotImplementedError

    @contextlib.contextmanager
    def running(self):
        self.directory = f"{self.base}/{type(self).__name__.lower()}"
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)
        self.socket = f"{self.directory}/s"
        self.prepare()
        self.process = subprocess.Popen(
            self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.directory, env=self.environment()
        )
        try:
            await_socket(self.awaited(), self.process)
            yield self
        finally:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            shutil.rmtree(self.directory, ignore_errors=True)

    def prepare(self):
        pass

    def environment(self):
        return dict(os.environ)

    def awaited(self):
        return self.socket

    def measure(self, *load):
        with self.running():
            before = self.processor_time()
            result = self.load(*load)
            result["processor"] = (self.processor_time() - before) / load[2]
            return result

    def processor_time(self, process=None):
        """Returns the processor time of a process and its children in seconds, including ended ones."""
        process = process or self.process
        children = subprocess.run(["pgrep", "-P", str(process.pid)], stdout=subprocess.PIPE).stdout.split()
        ticks = 0
        for pid in [process.pid, *children]:
            with contextlib.suppress(FileNotFoundError), open(f"/proc/{int(pid)}/stat") as stat:
                ticks += sum(int(field) for field in stat.read().rpartition(")")[2].split()[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Returns the resident bytes of a process and its children."""
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], stdout=subprocess.PIPE).stdout.split()
        return sum(resident(int(pid)) for pid in [self.process.pid, *children])


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


class Router(Peer):
    name = "Router"
    settings = {}

    def command(self):
        return [f"{self.programs}/routerd", "--socket", self.socket, "--database", f"{self.directory}/log.db"]

    def environment(self):
        limits = {f"ROUTERD_LIMITS_{name}": "1000000" for name in ("PER_SURFACE", "PER_USER", "TOTAL")}
        return dict(os.environ, **limits, **self.settings)

    def load(self, requesters, surfaces, count, *options):
        # With a key for each request, as Router's own client asks.
        return json.loads(output([f"{self.build}/router_load", self.socket, requesters, surfaces, count, "keyed", *options]))


class EarlierRouter(Router):
    """The routerd of an earlier commit, in a directory named after it."""

    def __init__(self, directory, *where):
        super().__init__(*where)
        self.earlier = directory
        self.name = f"Router {os.path.basename(directory)}"

    def command(self):
        return [f"{self.earlier}/routerd", *super().command()[1:]]


class RelaxedRouter(Router):
    name = "Router, relaxed"
    settings = {"ROUTERD_DURABILITY": "relaxed"}


class Aiohttp(Router):
    name = "aiohttp + sqlite3"

    def command(self):
        return [sys.executable, f"{HERE}/aiohttp_service.py", self.socket, f"{self.directory}/log.db"]


class Broker(Peer):
    """The smallest broker in C."""

    mode = "record"
    name = "C broker, a commit each record"

    def command(self):
        return [f"{self.build}/broker", self.mode, self.socket, f"{self.directory}/log.db"]

    def load(self, requesters, surfaces, count):
        return json.loads(output([f"{self.build}/broker_load", self.socket, requesters, surfaces, count]))


class TurnBroker(Broker):
    mode = "turn"
    name = "C broker, a commit each turn"


class OverlapBroker(Broker):
    mode = "overlap"
    name = "C broker, overlapped"


class Redis(Peer):
    name = "Redis lists, appendfsync always"

    def command(self):
        return ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.directory, "--save", "", "--appendonly",
                "yes", "--appendfsync", "always", "--maxclients", "20000"]

    def load(self, requesters, surfaces, count):
        return json.loads(output([f"{self.build}/redis_load", self.socket, requesters, surfaces, count]))


class Postgres(Peer):
    name = "PostgreSQL, SKIP LOCKED + NOTIFY"
    port = "5432"

    def prepare(self):
        """Creates the cluster once, and copies it for each measurement."""
        self.programs_of_it = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        made = f"{self.base}/cluster"
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            os.chmod(self.base, 0o755)
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        else:
            self.user = []
        if not os.path.exists(made):
            os.mkdir(made, 0o700)
            self.give(made)
            subprocess.run([*self.user, f"{self.programs_of_it}/initdb", "-D", made, "-U", "router", "-A", "trust"], check=True,
                           stdout=subprocess.DEVNULL, cwd="/")
        shutil.copytree(made, f"{self.directory}/data")
        os.chmod(f"{self.directory}/data", 0o700)
        self.give(self.directory)

    def give(self, path):
        if os.geteuid() != 0:
            return
        entry = pwd.getpwnam("postgres")
        for folder, _, files in os.walk(path):
            for name in [folder, *(f"{folder}/{file}" for file in files)]:
                os.chown(name, entry.pw_uid, entry.pw_gid)

    def command(self):
        return [*self.user, f"{self.programs_of_it}/postgres", "-D", f"{self.directory}/data", "-k", self.directory, "-p", self.port,
                "-c", "listen_addresses=", "-c", "max_connections=300"]

    def awaited(self):
        return f"{self.directory}/.s.PGSQL.{self.port}"

    def conninfo(self, user="router"):
        return f"host={self.directory} port={self.port} user={user} dbname=postgres"

    def await_server(self):
        # It listens before it accepts connections.
        for _ in range(200):
            if subprocess.run([f"{self.programs_of_it}/pg_isready", "-q", "-d", self.conninfo()]).returncode == 0:
                break
            time.sleep(0.05)

    def load(self, requesters, surfaces, count):
        self.await_server()
        return json.loads(output([f"{self.build}/postgres_load", self.conninfo(), requesters, surfaces, count]))


class DBus(Peer):
    name = "D-Bus method call, no record"

    def command(self):
        return ["dbus-daemon", "--session", "--nofork", "--nosyslog", f"--address=unix:path={self.socket}"]

    def load(self, requesters, surfaces, count):
        return json.loads(output([f"{self.build}/dbus_load", f"unix:path={self.socket}", count]))


class Floor(Peer):
    """A lower bound without a service."""

    def __init__(self, floor, name, *where):
        super().__init__(*where)
        self.floor, self.name = floor, name

    def measure(self, requesters, surfaces, count):
        return json.loads(output([f"{self.build}/floors", self.floor, count, self.base]))
