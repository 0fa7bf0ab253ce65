# Promise P42.
"""`routerctl agent opencode` with a server that has the routes and events of OpenCode's own, by its schema."""

import http.server
import json
import queue
import subprocess
import threading
import unittest

from agents import ROUTERCTL, Daemon, Presenter, button, environment

# packages/opencode/src/permission/index.ts and packages/schema/src/permission.ts of anomalyco/opencode, read in November 2026.
FIRST = {"id": "per_1", "sessionID": "ses_1", "permission": "bash", "patterns": ["npm test"], "metadata": {}, "always": ["npm *"],
         "tool": {"messageID": "msg_1", "callID": "call_1"}}
SECOND = {"id": "per_2", "sessionID": "ses_1", "action": "webfetch", "resources": ["https://example.com"], "reason": "Reads it"}
MESSAGE = {"info": {"id": "msg_1"}, "parts": [
    {"type": "text", "text": "I test."},
    {"type": "tool", "callID": "call_1", "tool": "bash", "state": {
        "status": "running", "input": {"command": "npm test && npm run lint", "description": "Runs the tests"}}}]}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, pending=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pending, self.streams, self.replies = list(pending), [], queue.Queue()
        self.connected = threading.Semaphore(0)
        self.passwords = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def tell(self, kind, properties):
        for stream in list(self.streams):
            stream.put({"type": kind, "properties": properties})

    def end(self):
        for stream in self.streams:
            stream.put(None)
        self.streams = []


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.passwords.add(self.headers.get("authorization"))
        path = self.path.split("?")[0]
        if path == "/event":
            return self.stream()
        self.reply({"/permission": self.server.pending, "/session/ses_1": {"id": "ses_1", "directory": "/srv/shop"},
                    "/session/ses_1/message/msg_1": MESSAGE}.get(path))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.replies.put((self.path, body))
        self.reply(True)

    def reply(self, value):
        body = json.dumps(value).encode()
        self.send_response(404 if value is None else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        events = queue.Queue()
        events.put({"type": "server.connected", "properties": {}})
        self.server.streams.append(events)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.server.connected.release()
        while (event := events.get()) is not None:
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()


class OpenCodeTests(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)

    def follow(self, server, **variables):
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(server.end)
        process = subprocess.Popen(
            [ROUTERCTL, "agent", "opencode", "--port", str(server.server_port)], env=environment(self.daemon, **variables),
            stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(server.connected.acquire(timeout=30))

    def present(self, decide):
        presenter = Presenter(self.daemon, decide)
        self.addCleanup(presenter.close)
        return presenter

    def test_answers_once_or_reject_with_the_whole_command(self):
        answers = iter([button("allow"), {"button": "deny", "comment": "not now"}])
        presenter = self.present(lambda _: next(answers))
        server = Server()
        self.follow(server, OPENCODE_SERVER_PASSWORD="secret")
        server.tell("permission.asked", FIRST)
        self.assertEqual(server.replies.get(timeout=30), ("/permission/per_1/reply", {"reply": "once"}))
        shown = presenter.shown[0]["request"]
        self.assertEqual((shown["app"], shown["attachments"][0]["text"]), ("opencode", "npm test && npm run lint"))
        self.assertEqual(shown["act"]["directory"], "/srv/shop")
        self.assertNotIn("remember", shown)
        server.tell("permission.v2.asked", SECOND)
        self.assertEqual(server.replies.get(timeout=30), (
            "/api/session/ses_1/permission/per_2/reply",
            {"reply": "reject", "message": "The user denied this tool call: not now"}))
        self.assertIn("https://example.com", json.dumps(presenter.shown[1]["request"]))
        self.assertEqual(server.passwords, {"Basic b3BlbmNvZGU6c2VjcmV0"})

    def test_withdraws_what_was_answered_in_opencode_and_asks_what_waits_after_a_restart(self):
        presenter = self.present(lambda _: None)
        server = Server(pending=[FIRST])
        self.follow(server)
        presenter.wait_for(1)
        server.tell("permission.asked", FIRST)
        server.tell("permission.replied", {"sessionID": "ses_1", "requestID": "per_1", "reply": "once"})
        server.tell("permission.asked", {**FIRST, "id": "per_3"})
        self.assertEqual(presenter.wait_for(2)["request"]["attachments"][0]["text"], "npm test && npm run lint")
        server.end()
        self.assertTrue(server.connected.acquire(timeout=30))
        presenter.wait_for(3)
        self.assertEqual(len(self.daemon.call("GET", "/v1/presentations")["presentations"]), 1)
        self.assertTrue(server.replies.empty())


if __name__ == "__main__":
    unittest.main()
