# Promise P97.
"""A log of the version before is opened, verified and continued by this version, and the other way round."""

import pathlib
import sqlite3
import subprocess
import unittest

from test_mixed import ACT, BUTTONS, RULES
from versions import NEW, OLD, Client, Daemon, Presenter, change, wait_for

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def fill(daemon, client):
    """Puts one of each into the log: outcomes, a remembered answer, rules, a snooze, a pause, a secret and open prompts."""
    presenter = Presenter(client)

    def show(**request):
        id = daemon.ask(**{"kind": "alert", "app": "tests", "buttons": BUTTONS, **request})
        wait_for(f"the prompt {request['title']}", lambda: daemon.state(id) == "presented")
        return id

    ids = {}
    try:
        client.run("answer", show(title="Deploy the website?"), "--button", "yes", "--comment", "Fine.")
        client.run("answer", show(title="Delete the cache?"), "--button", "no")
        client.run("dismiss", show(title="Nothing"))
        daemon.cancel(show(title="Canceled"))
        expired = daemon.ask(kind="alert", title="Expired", app="tests", buttons=BUTTONS, timeout=0.2)
        daemon.outcome(expired)
        client.run("answer", show(kind="sheet", sheet="contact", title="Address", schema=FORM, buttons=[]),
                   "--value", '{"name": "Ada Lovelace"}')
        login = client.start("sheet", "login", "--title", "Secret", "--field", "password:password!")
        secret = wait_for("the secret prompt", lambda: [
            each["id"] for each in daemon.call("GET", "/v1/presentations")["presentations"] if each["state"] == "presented"])[0]
        client.run("answer", secret, "--value", '{"password": "swordfish"}')
        assert "swordfish" in login.communicate(timeout=30)[0]
        client.run("answer", show(title="Run it?", act=ACT, remember={}), "--button", "yes", "--remember", "1h")
        ids["remembered"] = daemon.ask(kind="alert", app="tests", title="Run it?", act=ACT, remember={}, buttons=BUTTONS)
        assert daemon.outcome(ids["remembered"])["button"] == "yes"
        ids["snoozed"] = show(title="Snoozed")
        client.run("snooze", ids["snoozed"], "--for", "1h")
        ids["open"] = show(title="Open")
        ids["queued"] = daemon.call(
            "POST", "/v1/presentations", {"kind": "alert", "title": "Queued", "app": "tests", "buttons": BUTTONS},
            Prefer="respond-async", Idempotency_Key="key-1")["id"]
    finally:
        presenter.close()
    return ids


class LogTests:
    first = second = None

    def test_opens_verifies_and_continues_it(self):
        daemon = Daemon(self.first)
        self.addCleanup(daemon.remove)
        rules = pathlib.Path(daemon.directory, "rules.yaml")
        rules.write_text(RULES.replace("test]", "publish]"))
        daemon.variables["ROUTERD_RULES_FILE"] = str(rules)
        change(daemon, self.first)
        before, after = Client(self.first, daemon), Client(self.second, daemon)
        file = ["--database", daemon.database]
        ids = fill(daemon, before)
        change(daemon, self.second)
        lines = len(after.json("log", "--json", "--events", *file))
        after.run("log", "verify", *file)

        # All that was open is, in its order.
        presenter = Presenter(after)
        self.addCleanup(presenter.close)
        self.assertEqual([each["id"] for each in after.json("queue", "--json")], [ids["open"], ids["queued"], ids["snoozed"]])
        wait_for("the open prompt", lambda: daemon.state(ids["open"]) == "presented")
        after.run("answer", ids["open"], "--button", "yes")
        self.assertEqual(daemon.outcome(ids["open"])["button"], "yes")
        again = daemon.call(
            "POST", "/v1/presentations", {"kind": "alert", "title": "Queued", "app": "tests", "buttons": BUTTONS},
            Prefer="respond-async", Idempotency_Key="key-1")["id"]
        self.assertEqual(again, ids["queued"])
        wait_for("the queued prompt", lambda: daemon.state(ids["queued"]) == "presented")
        after.run("dismiss", ids["queued"])
        after.run("snooze", ids["snoozed"], "--end")
        wait_for("the snoozed prompt", lambda: daemon.state(ids["snoozed"]) == "presented")
        after.run("cancel", ids["snoozed"])

        # What was decided stays decided.
        self.assertEqual(len(after.json("grants", "--json")), 1)
        self.assertEqual(daemon.outcome(
            daemon.ask(kind="alert", app="tests", title="Run it?", act=ACT, remember={}, buttons=BUTTONS))["button"], "yes")
        self.assertEqual(after.json("rules", "--json")[0]["rules"][0]["id"], "tests")

        # The history and the search have both versions' prompts.
        titles = [each["request"]["title"] for each in after.json("log", "--json", *file)]
        self.assertEqual(len(titles), 13, titles)
        for words, count in ("website", 1), ("lovelace", 1), ("swordfish", 0), ("queued", 1):
            self.assertEqual(len(after.json("log", "--json", "--search", words, *file)), count, words)
        self.assertGreater(len(after.json("log", "--json", "--events", *file)), lines)
        after.run("log", "verify", *file)

        # And back.
        change(daemon, self.first)
        before.run("log", "verify", *file)
        self.assertEqual(len(before.json("log", "--json", *file)), 13)
        wait_for("the presenter of the other version", lambda: daemon.call("GET", "/v1/surfaces")["surfaces"][0]["presenters"])
        last = daemon.ask(kind="alert", title="Last", app="tests", buttons=BUTTONS)
        wait_for("the last prompt", lambda: daemon.state(last) == "presented")
        before.run("answer", last, "--button", "yes")
        before.run("log", "verify", *file)
        daemon.stop()
        after.run("log", "verify", *file)
        after.run("log", "reindex", *file)
        after.run("log", "verify", *file)
        daemon.start()

    def test_programs_and_presenters_wait_through_an_upgrade(self):
        daemon = Daemon(self.first)
        self.addCleanup(daemon.remove)
        old, new = Client(self.first, daemon), Client(self.second, daemon)
        asking = old.start("confirm", "Deploy?"), old.start("choose", "Branch?", "main", "develop"), new.start("confirm", "Later?")
        presenter = Presenter(old)
        self.addCleanup(presenter.close)
        wait_for("three prompts", lambda: daemon.call("GET", "/v1/status")["open"] == 3)
        wait_for("a prompt", lambda: presenter.titles)
        change(daemon, self.second)
        wait_for("three prompts again", lambda: daemon.call("GET", "/v1/status")["open"] == 3)
        for _ in range(3):
            shown = wait_for("a prompt", lambda: [
                each for each in daemon.call("GET", "/v1/presentations")["presentations"] if each["state"] == "presented"])[0]
            new.run("answer", shown["id"], "--button", "c1" if shown["request"]["title"] == "Branch?" else "yes")
        for process in asking:
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
        new.run("log", "verify", "--database", daemon.database)


class NewOpensOldTests(LogTests, unittest.TestCase):
    first, second = OLD, NEW


class OldOpensNewTests(LogTests, unittest.TestCase):
    first, second = NEW, OLD

    def test_refuses_a_later_schema_in_one_line(self):
        daemon = Daemon(NEW)
        self.addCleanup(daemon.remove)
        daemon.stop()
        with sqlite3.connect(daemon.database) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0] + 1
            database.execute(f"PRAGMA user_version = {version}")
        database.close()
        for bin in OLD, NEW:
            done = subprocess.run(
                [bin / "routerd", "--socket", daemon.socket, "--database", daemon.database], capture_output=True, text=True, timeout=30)
            self.assertEqual(done.returncode, 1)
            words = rf"another version of Router made it \(schema version {version}\)\. Move the file away"
            self.assertRegex(done.stderr, rf"\AError: cannot use .*: {words}.*\n\Z")
