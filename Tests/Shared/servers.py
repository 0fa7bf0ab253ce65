"""PostgreSQL servers, and daemons that share a surface through them, each host in its own network namespace."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

BIN = pathlib.Path(os.environ["ROUTER_BIN"])
ROOT = pathlib.Path(__file__).parents[2]
PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
HOSTS = ["alpha", "beta", "gamma"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout


def until(what, body, seconds=60):
    """Calls `body` until it returns something true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        value = body()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.01)


class Server:
    """A PostgreSQL server in a temporary directory, which listens on a port of all namespaces' host side."""

    def __init__(self, directory, port):
        self.directory, self.port, self.data = directory, port, f"{directory}/data-{port}"

    def program(self, name, *arguments):
        return run("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", PROGRAMS / name, *arguments)

    def create(self):
        self.program("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "--no-sync")
        with open(f"{self.data}/pg_hba.conf", "a") as file:
            file.write("host all all 10.77.0.0/16 trust\nhost replication all 10.77.0.0/16 trust\n")
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.write("listen_addresses = '*'\nmax_connections = 200\nwal_keep_size = 256MB\n")
        self.start()
        self.sql("postgres", "CREATE DATABASE router")
        run("psql", "-q", "-h", self.directory, "-p", self.port, "-U", "postgres", "-d", "router", "-v", "ON_ERROR_STOP=1",
            "-f", ROOT / "Config/shared.sql")
        for host in HOSTS:
            self.sql("router", f"SELECT router.add_host('{host}', may_lead => true)")

    def copy(self, primary):
        """Makes this server a synchronous standby of another."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.program("pg_basebackup", "-h", primary.directory, "-p", primary.port, "-U", "postgres", "-D", self.data, "-R",
                     "-c", "fast", "--no-sync")
        with open(f"{self.data}/postgresql.auto.conf", "a") as file:
            file.write("synchronous_standby_names = ''\n")
        self.start()
        primary.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("postgres", "SELECT pg_reload_conf()")
        until("a synchronous standby", lambda: "sync" in primary.sql(
            "postgres", "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"))

    def start(self):
        self.program("pg_ctl", "-D", self.data, "-l", f"{self.directory}/log-{self.port}", "-w",
                     "-o", f"-p {self.port} -c unix_socket_directories={self.directory}", "start")

    def stop(self, mode="immediate"):
        subprocess.run(["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", str(PROGRAMS / "pg_ctl"), "-D",
                        self.data, "-m", mode, "-w", "stop"], capture_output=True)

    def kill(self):
        with open(f"{self.data}/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGKILL)

    def promote(self):
        self.program("pg_ctl", "-D", self.data, "-w", "promote")

    def sql(self, database, query):
        return run("psql", "-X", "-A", "-t", "-q", "-h", self.directory, "-p", self.port, "-U", "postgres", "-d", database,
                   "-c", query)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Host:
    """A host with its daemon. Its network reaches the database through a pair of virtual interfaces."""

    def __init__(self, name, directory, ports, silence):
        self.name, self.number = name, HOSTS.index(name) + 1
        self.directory = f"{directory}/{name}"
        os.mkdir(self.directory)
        self.socket, self.database = f"{self.directory}/s", f"{self.directory}/log.db"
        self.space, self.link, self.address = f"router-{name}", f"router{self.number}", f"10.77.{self.number}.1"
        self.ports, self.silence, self.process = ports, silence, None
        subprocess.run(["ip", "netns", "del", self.space], capture_output=True)
        run("ip", "netns", "add", self.space)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        run("ip", "address", "add", f"{self.address}/24", "dev", self.link)
        run("ip", "link", "set", self.link, "up")
        run("ip", "-n", self.space, "address", "add", f"10.77.{self.number}.2/24", "dev", "eth0")
        run("ip", "-n", self.space, "link", "set", "eth0", "up")
        run("ip", "-n", self.space, "link", "set", "lo", "up")

    @property
    def url(self):
        hosts, ports = ",".join([self.address] * len(self.ports)), ",".join(map(str, self.ports))
        return f"host={hosts} port={ports} user={self.name} dbname=router target_session_attrs=read-write"

    @property
    def environment(self):
        return dict(
            os.environ, ROUTERD_BACKOFF_DISMISSALS="0", ROUTERD_SHARED_DATABASE=self.url, ROUTERD_SHARED_SURFACES="ops",
            ROUTERD_SHARED_HOST=self.name, ROUTERD_SHARED_SILENCE_SECONDS=str(self.silence))

    def start(self):
        with open(f"{self.directory}/out", "ab") as out:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", self.space, BIN / "routerd", "--socket", self.socket, "--database", self.database],
                stderr=out, stdout=out, env=self.environment)
        until(f"{self.name} listens", lambda: self.status() is not None)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)

    def cut(self):
        run("ip", "link", "set", self.link, "down")

    def mend(self):
        run("ip", "link", "set", self.link, "up")

    def remove(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.kill()
        subprocess.run(["ip", "netns", "del", self.space], capture_output=True)

    def call(self, method, path, body=None, timeout=120, **headers):
        """Returns the status and the body; 0 if the connection was lost."""
        connection = UnixConnection(self.socket, timeout)
        try:
            connection.request(method, path, body=None if body is None else json.dumps(body), headers=headers)
            response = connection.getresponse()
            text = response.read()
            return response.status, json.loads(text) if text else None
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
        finally:
            connection.close()

    def status(self):
        status, body = self.call("GET", "/v1/status", timeout=5)
        return body if status == 200 else None

    @property
    def copy(self):
        return f"{self.database}.shared/ops.db"


def directory():
    path = tempfile.mkdtemp(prefix="router-shared-")
    shutil.chown(path, "postgres")
    os.chmod(path, 0o755)
    return path
