# Promise P98.
"""A client of one version with a daemon of the other: each command that talks to the daemon, in both directions."""

import json
import os
import pathlib
import pwd
import sys
import unittest

from versions import NEW, OLD, Client, Daemon, Presenter, Terminal, change, wait_for

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "Clients" / "python"))

YES, NO = {"button": "yes"}, {"button": "no"}
ACT = {"verb": "Bash", "object": "npm test", "argv": ["npm", "test"], "directory": "/tmp"}
RULES = """\
version: 1
rules:
  - id: tests
    match: {user: root, act: {verb: Bash, argv: [npm, test]}}
    then: allow
""".replace("root", pwd.getpwuid(os.getuid()).pw_name)
BUTTONS = [{"id": "yes", "label": "Allow"}, {"id": "no", "label": "Deny", "role": "cancel"}]


class MixedTests:
    daemon_bin = client_bin = None

    def setUp(self):
        self.daemon = Daemon(self.daemon_bin)
        self.addCleanup(self.daemon.remove)
        self.client = Client(self.client_bin, self.daemon)

    def present(self, *answers):
        presenter = Presenter(self.client, *answers)
        self.addCleanup(presenter.close)
        return presenter

    def test_asks_and_presents_each_kind(self):
        presenter = self.present(YES, NO, {"button": "c2"}, {"value": {"name": "Ada", "size": "L"}}, {"value": {"choices": ["a", "c"]}},
                                 {"dismiss": True}, {"button": "run"}, {"button": "ok"})
        self.client.run("confirm", "Deploy?")
        self.client.run("confirm", "Deploy again?", status=1)
        self.assertEqual(self.client.run("choose", "Branch?", "main", "develop"), "develop\n")
        sheet = self.client.run("sheet", "contact", "--title", "Address", "--field", "name:string!", "--field", "size:S|L")
        self.assertEqual(json.loads(sheet), {"name": "Ada", "size": "L"})
        self.assertEqual(self.client.run("choose", "Which?", "a", "b", "c", "--multiple"), "a\nc\n")
        self.client.run("confirm", "Leave?", "--priority", "high", "--severity", "critical", status=3)
        self.assertEqual(self.client.run("run", "--", "/bin/echo", "it ran"), "it ran\n")
        self.client.run("alert", "Done")
        self.assertEqual(len(presenter.titles), 8)

    def test_acts_on_open_prompts(self):
        first, second, third = (self.daemon.alert(title) for title in ("First", "Second", "Third"))
        presenter = self.present()
        wait_for("the first prompt", lambda: self.daemon.state(first) == "presented")
        self.assertEqual([each["id"] for each in self.client.json("queue", "--json")], [first, second, third])
        self.client.run("raise", third)
        wait_for("the raised prompt", lambda: self.daemon.state(third) == "presented")
        self.client.run("snooze", third, "--for", "1h")
        self.client.run("snooze", third, "--end")
        self.client.run("pause", first, "--for", "1h")
        self.assertIn(first, self.client.run("pause"))
        self.client.run("resume", first)
        wait_for("a prompt", lambda: "presented" in map(self.daemon.state, (first, second, third)))
        shown = next(id for id in (first, second, third) if self.daemon.state(id) == "presented")
        self.client.run("answer", shown, "--button", "deploy", "--comment", "Fine.")
        self.assertEqual(self.daemon.outcome(shown), {"type": "answered", "button": "deploy", "comment": "Fine."})
        others = [id for id in (first, second, third) if id != shown]
        wait_for("the next prompt", lambda: "presented" in map(self.daemon.state, others))
        next_one = next(id for id in others if self.daemon.state(id) == "presented")
        self.client.run("dismiss", next_one)
        self.assertEqual(self.daemon.outcome(next_one)["type"], "dismissed")
        self.client.run("cancel", "--all")
        self.assertEqual(self.client.run("queue"), "")
        wait_for("their texts", lambda: len(presenter.titles) >= 3)

    def test_reads_the_log_from_the_file_and_through_the_daemon(self):
        self.present(YES, NO)
        self.client.run("confirm", "Deploy the website?")
        self.client.run("confirm", "Delete the cache?", status=1)
        file = ["--database", self.daemon.database]
        for source in file, ["--socket", self.daemon.socket]:
            with self.subTest(source=source):
                found = self.client.json("log", "--json", *source)
                self.assertEqual(sorted(each["request"]["title"] for each in found), ["Delete the cache?", "Deploy the website?"])
                self.assertEqual(len(self.client.json("log", "--json", "--search", "website", *source)), 1)
                self.assertIn("Deploy the website?", self.client.run("log", "--csv", *source))
                self.assertIn("answered", self.client.run("log", "show", found[0]["id"], *source))
                self.assertTrue(self.client.run("log", "--events", *source))
                self.assertTrue(self.client.run("log", "stats", *source))
                self.assertTrue(self.client.run("log", "export", *source))
        self.assertTrue(self.client.run("log", "head", *file))
        self.client.run("log", "verify", *file)
        self.client.run("log", "backup", "copy.db", *file)
        self.client.run("log", "verify", "--database", "copy.db")
        target = f"file:{self.daemon.directory}/forwarded"
        self.client.run("log", "forward", "--once", "--to", target, "--state", "state", "--socket", self.daemon.socket)
        self.client.run("log", "verify", "--anchors", "forwarded", *file)
        self.client.run("log", "prune", "--older-than", "30d", *file, "--socket", self.daemon.socket)

    def test_remembers_and_revokes_answers(self):
        ask = dict(kind="alert", title="Run npm test?", app="tests", act=ACT, remember={}, buttons=BUTTONS)
        first = self.daemon.ask(**ask)
        presenter = self.present()
        wait_for("the prompt", lambda: self.daemon.state(first) == "presented")
        self.client.run("answer", first, "--button", "yes", "--remember", "1h")
        self.assertEqual(self.daemon.outcome(self.daemon.ask(**ask))["button"], "yes")
        grants = self.client.json("grants", "--json")
        self.assertEqual(len(grants), 1)
        self.client.run("grants", "show", grants[0]["id"])
        self.client.run("grants", "revoke", "1")
        self.assertEqual(self.client.json("grants", "--json"), [])
        again = self.daemon.ask(**ask)
        wait_for("the prompt again", lambda: self.daemon.state(again) == "presented")
        wait_for("its text", lambda: len(presenter.titles) == 2)

    def test_reads_and_writes_rules(self):
        id = self.daemon.ask(kind="alert", title="Run npm test?", app="tests", act=ACT, buttons=BUTTONS)
        self.assertEqual(self.daemon.state(id), "queued")
        rules = pathlib.Path(self.daemon.directory, "rules.yaml")
        rules.write_text(RULES)
        self.client.run("rules", "check", str(rules))
        self.daemon.stop()
        self.daemon.variables["ROUTERD_RULES_FILE"] = str(rules)
        self.daemon.start()
        self.assertEqual(self.client.json("rules", "--json")[0]["rules"][0]["id"], "tests")
        allowed = self.daemon.outcome(self.daemon.ask(kind="alert", title="Run npm test?", app="tests", act=ACT, buttons=BUTTONS))
        self.assertEqual(allowed["button"], "yes")
        self.client.run("rules", "explain", id, "--rules", str(rules), "--database", self.daemon.database)
        self.client.run("rules", "test", "--rules", str(rules), "--since", "1d", "--database", self.daemon.database)
        found = self.client.json("log", "--json", "--decided-by", "rule", "--database", self.daemon.database)
        self.assertEqual(len(found), 1)

    def test_describes_the_daemon(self):
        self.assertIn("version", self.client.run("status"))
        routerd, routerctl = (Client(bin, self.daemon).run("--version").strip() for bin in (self.daemon_bin, self.client_bin))
        # Without a presenter, it finds something to fix.
        found = self.client.run("doctor", status=8)
        self.assertIn(f"daemon: routerd {routerd}" if routerd == routerctl else f"routerd is {routerd}, routerctl {routerctl}", found)
        self.assertIn("http://127.0.0.1:", self.client.run("web"))

    def test_top_and_follow_go_on_after_a_restart(self):
        self.daemon.alert("Before the restart")
        top = Terminal(self.client, "top")
        follow = self.client.start("log", "--follow", "-n", "0", "--database", self.daemon.database)
        self.addCleanup(top.close)
        top.shows("Before the restart")
        other = OLD if self.daemon_bin == NEW else NEW
        for bin, title in (other, "After the first restart"), (self.daemon_bin, "After the second restart"):
            change(self.daemon, bin)
            id = self.daemon.alert(title)
            top.shows(title)
            self.daemon.cancel(id)
            self.assertIn(title, follow.stdout.readline())
        follow.terminate()
        follow.communicate(timeout=30)


class NewDaemonTests(MixedTests, unittest.TestCase):
    daemon_bin, client_bin = NEW, OLD


class OldDaemonTests(MixedTests, unittest.TestCase):
    daemon_bin, client_bin = OLD, NEW

    def test_the_python_client_asks(self):
        from router_client import Client as PythonClient

        # An agent's process may not answer. A presenter of another session answers.
        self.present(YES)
        self.assertTrue(PythonClient(self.daemon.socket).confirm("Deploy?"))
