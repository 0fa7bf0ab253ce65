# Promise P84.
"""The doorbell, which rings for prompts that wait elsewhere."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from test_zenity import PRESENTERS, DaemonTest

LINE = f"A prompt waits on {os.uname().nodename}.\n"


class DoorbellTests(DaemonTest):
    def setUp(self):
        super().setUp()
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="router-doorbell-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.rung = self.directory / "rung"

    def ring_with(self, *command):
        """Attaches a doorbell that runs a command. Returns the process id of routerctl."""
        return self.attach(
            "doorbell", " ".join(map(str, [PRESENTERS / "doorbell", *command])), "--after", "1s",
            XDG_RUNTIME_DIR=str(self.directory), DOORBELL_AGAIN="1").pid

    def program(self, script):
        program = self.directory / "ring"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)
        return program

    def text(self):
        return self.rung.read_text() if self.rung.exists() else ""

    def resting(self, presenter):
        """Returns the process id of the presenter's doorbell if it has done its work and waits to be ended."""
        found = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
        processes = {pid: (parent, command) for pid, parent, command in (line.split(None, 2) for line in found.splitlines())}

        def is_presenters(pid):
            while pid in processes:
                if pid == str(presenter):
                    return True
                pid = processes[pid][0]
            return False

        return next((parent for pid, (parent, command) in processes.items() if command == "sleep 3600" and is_presenters(pid)), None)

    def events(self, id):
        return [event["type"] for event in self.daemon.call("GET", f"/v1/log/{id}")["events"]]

    def test_rings_once_for_a_prompt_however_often_it_is_shown(self):
        presenter = self.ring_with("tee", "-a", self.rung)
        id = self.daemon.alert("Deploy?")
        first = self.until(lambda: self.resting(presenter))
        self.assertEqual(LINE, self.text())
        self.daemon.call("POST", f"/v1/presentations/{id}/snooze", {"for": 600, "generation": 1})
        self.until(lambda: not self.resting(presenter))
        self.daemon.call("DELETE", f"/v1/presentations/{id}/snooze")
        self.until(lambda: self.resting(presenter) not in [None, first])
        self.assertEqual(LINE, self.text())
        self.assertEqual(2, self.daemon.call("GET", f"/v1/presentations/{id}")["generation"])
        self.daemon.cancel(id)
        self.daemon.alert("Deploy again?")
        self.until(lambda: self.text() == 2 * LINE)

    def test_does_not_answer_the_prompt_or_fail_it(self):
        presenter = self.ring_with("tee", "-a", self.rung)
        id = self.daemon.alert("Deploy?")
        self.until(lambda: self.resting(presenter))
        self.assertEqual("presented", self.daemon.state(id))
        self.daemon.call("POST", f"/v1/presentations/{id}/answer", {"button": "later", "generation": 1})
        self.until(lambda: not self.resting(presenter))
        self.assertEqual(["requested", "presented", "answered"], [event for event in self.events(id) if event != "delivered"])

    def test_says_nothing_of_the_prompt(self):
        ring = self.program(f"{{ cat; env; tr '\\0' ' ' </proc/$$/cmdline; }} >>'{self.rung}'")
        presenter = self.ring_with(ring, "loudly")
        self.daemon.alert("Deploy 1.4.2?", message="42 commits", act={"verb": "ship", "object": "make ship"})
        self.until(lambda: self.resting(presenter))
        text = self.text()
        self.assertTrue(text.startswith(LINE), text)
        self.assertTrue(text.endswith("loudly "), text)
        for word in ["1.4.2", "42 commits", "make ship", "Not now"]:
            self.assertNotIn(word, text)

    def test_rings_again_after_a_failure(self):
        ring = self.program(f"cat >>'{self.rung}'\n[ -e '{self.directory}/failed' ] || {{ touch '{self.directory}/failed'; exit 1; }}")
        presenter = self.ring_with(ring)
        id = self.daemon.alert("Deploy?")
        self.until(lambda: self.resting(presenter))
        self.assertEqual(2 * LINE, self.text())
        self.assertEqual("presented", self.daemon.state(id))
        self.assertNotIn("presenterFailed", self.events(id))

    def test_each_command_rings(self):
        other = self.directory / "other"
        presenters = [self.ring_with("tee", "-a", file) for file in [self.rung, other]]
        self.daemon.alert("Deploy?")
        for presenter in presenters:
            self.until(lambda: self.resting(presenter))
        self.assertEqual([LINE, LINE], [self.text(), other.read_text()])
