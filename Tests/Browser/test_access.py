# Promises P67, P68.
"""Access to the page: links, sessions, users and origins."""

import http.client
import os
import subprocess
import sys
import unittest
import urllib.parse

from router import Daemon


class DoorTests(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)

    def get(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request(method, path, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        response.text = response.read().decode()
        return response

    def open(self):
        """Opens a link and returns the cookie."""
        path = urllib.parse.urlsplit(self.daemon.link()).path
        response = self.get(path, "POST", Origin=self.daemon.origin)
        self.assertEqual((303, "/"), (response.status, response.headers["Location"]))
        return response.headers["Set-Cookie"]

    def test_refuses_access_without_a_link(self):
        for path in ["/v1/surfaces", "/v1/log", "/v1/presentations", "/v1/surfaces/main/stream"]:
            self.assertEqual(401, self.get(path).status, path)
        self.assertEqual(401, self.get("/v1/surfaces", Cookie=f"routerd-{self.daemon.port}=00.00").status)
        # The page itself contains no secrets.
        self.assertEqual(200, self.get("/").status)

    def test_opens_a_link_once(self):
        path = urllib.parse.urlsplit(self.daemon.link()).path
        self.assertEqual(410, self.get(path + "0").status)
        self.assertEqual(200, self.get(path).status)
        self.assertEqual(403, self.get(path, "POST").status)
        self.assertEqual(303, self.get(path, "POST", Origin=self.daemon.origin).status)
        second = self.get(path)
        self.assertEqual(410, second.status)
        self.assertIn("routerctl web", second.text)

    def test_restricts_the_cookie_to_this_page(self):
        cookie = self.open()
        for part in ["HttpOnly", "SameSite=Strict", "Path=/", f"routerd-{self.daemon.port}="]:
            self.assertIn(part, cookie)
        value = cookie.partition(";")[0]
        self.assertEqual(200, self.get("/v1/surfaces", Cookie=value).status)
        self.assertEqual(401, self.get("/v1/surfaces", Cookie=value[:-1] + ("0" if value[-1] != "0" else "1")).status)

    def test_keeps_the_session_across_a_restart(self):
        value = self.open().partition(";")[0]
        self.daemon.stop()
        self.daemon.start()
        self.assertEqual(200, self.get("/v1/surfaces", Cookie=value).status)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_refuses_another_users_cookie(self):
        value = self.open().partition(";")[0]
        script = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("GET", "/v1/surfaces", headers={"Cookie": sys.argv[2]})
print(connection.getresponse().status)"""
        for user, status in [(0, "200"), (7123, "401")]:
            result = subprocess.run([sys.executable, "-c", script, str(self.daemon.port), value],
                                    user=user, cwd="/", capture_output=True, text=True, check=True)
            self.assertEqual(status, result.stdout.strip())

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_serves_others_despite_one_users_idle_connections(self):
        script = """
import socket, sys
held = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(400)]
print("held", flush=True)
sys.stdin.read()"""
        stranger = subprocess.Popen([sys.executable, "-c", script, str(self.daemon.port)], user=7123, cwd="/",
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(stranger.communicate)
        self.assertEqual("held", stranger.stdout.readline().strip())
        self.assertEqual(200, self.get("/").status)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_refuses_another_users_link(self):
        path = urllib.parse.urlsplit(self.daemon.link()).path
        script = """
import http.client, sys
for method in ["GET", "POST"]:
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    connection.request(method, sys.argv[2], headers={"Origin": sys.argv[3]})
    print(connection.getresponse().status)"""
        result = subprocess.run([sys.executable, "-c", script, str(self.daemon.port), path, self.daemon.origin],
                                user=7123, cwd="/", capture_output=True, text=True, check=True)
        self.assertEqual(["403", "403"], result.stdout.split())
        self.assertEqual(303, self.get(path, "POST", Origin=self.daemon.origin).status)

    def test_refuses_requests_from_other_origins(self):
        value = self.open().partition(";")[0]
        id = self.daemon.alert("Deploy?")
        answer = f"/v1/presentations/{id}/answer"
        for headers in [
            {}, {"Origin": "http://attacker.example"}, {"Origin": "null"}, {"Origin": f"http://127.0.0.1:{self.daemon.port + 1}"},
            {"Origin": self.daemon.origin, "Sec_Fetch_Site": "same-site"},
        ]:
            self.assertEqual(403, self.get(answer, "POST", '{"button": "deploy"}', Cookie=value, **headers).status, headers)
        self.assertEqual(403, self.get("/v1/log", Cookie=value, Host="attacker.example").status)
        self.assertEqual(403, self.get("/", Host=f"attacker.example:{self.daemon.port}").status)
        self.assertNotEqual("resolved", self.daemon.state(id))

    def test_serves_only_the_routes_that_the_page_needs(self):
        value = self.open().partition(";")[0]
        origin = {"Origin": self.daemon.origin}
        for method, path in [("POST", "/v1/presentations"), ("GET", "/v1/status"), ("POST", "/v1/log/prune"),
                             ("POST", "/v1/web/link"), ("GET", "/metrics"), ("GET", "/openapi.json")]:
            self.assertIn(self.get(path, method, "{}", Cookie=value, **origin).status, [404, 405], path)

    def test_sends_security_headers_with_every_response(self):
        value = self.open().partition(";")[0]
        for path in ["/", "/main.js", "/nothing", "/v1/surfaces", "/open/0"]:
            headers = self.get(path, Cookie=value).headers
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
            self.assertEqual("nosniff", headers["X-Content-Type-Options"])
            self.assertEqual("no-referrer", headers["Referrer-Policy"])

    def test_revalidates_files_by_etag(self):
        tag = self.get("/main.js").headers["ETag"]
        self.assertEqual(304, self.get("/main.js", If_None_Match=tag).status)
        self.assertEqual(200, self.get("/main.js", If_None_Match='"other"').status)
