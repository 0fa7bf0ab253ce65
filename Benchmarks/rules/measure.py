"""Replies to others, beside connections whose acts 1,000 rules decide: with rules and without any that takes time."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

CONNECTIONS, BYTES = 64, 4096


def rules(count):
    """Returns rules with wildcards, and a last one that refuses everything, so that nothing waits for a person."""
    lines = ["version: 1", "rules:"]
    for number in range(count - 1):
        match = [
            f'argv: [git, command-{number}, ...]',
            f'object: "**curl **|**sh-{number}**"',
            f'object: "*tool-{number}*--force**"',
            f'object: "**a{number % 10}**b*c**{number}zz**"',
        ][number % 4]
        lines += [f"  - {{id: r{number}, match: {{act: {{verb: Bash, {match}}}}}, then: ask}}"]
    return "\n".join(lines + ['  - {id: all, match: {act: {verb: Bash}}, then: deny}', ""])


def act():
    """Returns an act with pieces of as many patterns as fit, and the whole of none: their last pieces are missing."""
    text, number = "curl ", 1
    while len(text) < BYTES:
        text += f"sh-{number} tool-{number + 1}x a{number % 10} b c "
        number += 4
    return text[:BYTES]


def exchange(connection, message):
    connection.sendall(message)
    reply = b""
    while b"\r\n\r\n" not in reply:
        part = connection.recv(65536)
        if not part:
            raise EOFError
        reply += part
    head, _, body = reply.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return int(head.split()[1])


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection


def answers(path):
    """Whether a daemon accepts connections."""
    try:
        connect(path).close()
        return True
    except OSError:
        return False


def ask(path, end, statuses):
    body = json.dumps(
        {
            "kind": "alert",
            "title": "Run?",
            # Some take so many steps that a person would be asked.
            "noPresenter": "fail",
            "act": {"verb": "Bash", "object": act()},
            "buttons": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "role": "cancel"}],
        }
    ).encode()
    message = b"POST /v1/presentations HTTP/1.1\r\nHost: r\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    connection = connect(path)
    while time.monotonic() < end:
        status = exchange(connection, message)
        statuses[status] = statuses.get(status, 0) + 1


def measure(routerd, count, seconds):
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        file = pathlib.Path(place, "rules.yaml")
        file.write_text(rules(count))
        path = place + "/s"
        environment = dict(
            os.environ, ROUTERD_RULES_FILE=str(file), ROUTERD_RULES_CONFIRM="none", ROUTERD_LOG_LEVEL="error",
            ROUTERD_GRANTS_PER_MINUTE="1000000",
        )
        daemon = subprocess.Popen([routerd, "--socket", path, "--database", place + "/log.db"], env=environment)
        try:
            while not answers(path):
                if daemon.poll() is not None:
                    sys.exit("cannot measure: routerd has ended")
                time.sleep(0.05)
            end, statuses = time.monotonic() + seconds, {}
            threads = [threading.Thread(target=ask, args=(path, end, statuses)) for _ in range(CONNECTIONS)]
            for thread in threads:
                thread.start()
            other, waits = connect(path), []
            while time.monotonic() < end:
                before = time.perf_counter()
                exchange(other, b"GET /healthz HTTP/1.1\r\nHost: r\r\n\r\n")
                waits.append(1000 * (time.perf_counter() - before))
                time.sleep(0.01)
            for thread in threads:
                thread.join()
        finally:
            daemon.terminate()
            daemon.wait()
    waits.sort()
    print(
        f"{count:5} rules: {sum(statuses.values()) / seconds:7.0f} acts a second {statuses}, "
        f"another's reply {waits[len(waits) // 2]:6.1f} ms, the latest {waits[-1]:6.1f} ms"
    )


for rules_count in (0, 1000):
    measure(sys.argv[1], rules_count, float(sys.argv[2]))
