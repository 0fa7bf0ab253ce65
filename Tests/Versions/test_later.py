# Promise P98.
"""This version's client with a daemon of a later version, and the other way round, as far as additions go."""

import unittest

from later import LaterDaemon
from test_mixed import BUTTONS, MixedTests
from versions import NEW, OLD, Client, Daemon


class LaterDaemonTests(MixedTests, unittest.TestCase):
    """Replies have members, and streams have events, that the client does not know."""

    daemon_bin = client_bin = NEW

    def setUp(self):
        super().setUp()
        later = LaterDaemon(self.daemon)
        self.addCleanup(later.close)
        self.client = Client(NEW, later)


class LaterClientTests(unittest.TestCase):
    """A daemon refuses what it does not know, and names it."""

    def test_refuses_what_it_does_not_know(self):
        request = {"kind": "alert", "title": "Deploy?", "buttons": BUTTONS}
        for bin in NEW, OLD:
            daemon = Daemon(bin)
            self.addCleanup(daemon.remove)
            for method, path, body, words in [
                ("POST", "/v1/presentations", {**request, "later": 1}, "400 .*/later: is not a known field"),
                ("POST", "/v1/presentations", {**request, "buttons": [{**BUTTONS[0], "later": 1}]}, "400 .*/buttons/0/later"),
                ("POST", "/v1/presentations", {**request, "kind": "later"}, "400 .*/kind: must be one of"),
                ("POST", f"/v1/presentations/{daemon.alert('Open')}/later", {}, "404 .*cannot find POST"),
                ("GET", "/v1/later", None, "404 .*cannot find GET /v1/later"),
                ("GET", "/v1/log?later=1", None, "400 .*later is not a known parameter"),
            ]:
                with self.subTest(path=path, body=body), self.assertRaisesRegex(AssertionError, words):
                    daemon.call(method, path, body)
            self.assertEqual(daemon.call("GET", "/v1/status")["open"], 1)
