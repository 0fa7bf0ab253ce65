# Promise P75.
"""Remembered answers: choosing, the list of those in force, and the record."""

import os
import select
import subprocess

from selenium.webdriver.common.keys import Keys

from browser import PATIENCE, PageTest
from router import BIN


class Shell:
    """A person's shell: it reads its commands, so that an answer can be remembered for it."""

    def __init__(self, daemon):
        self.process = subprocess.Popen(
            ["/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "ROUTERD_SOCKET": daemon.socket})

    def ask(self, command, act="--act-verb run --act-object x --remember 1h"):
        self.process.stdin.write(f"'{BIN}/routerctl' {command} {act} </dev/null >/dev/null; echo $?\n")
        self.process.stdin.flush()

    def status(self):
        """Waits for the exit status."""
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            raise AssertionError("routerctl got no answer")
        return int(self.process.stdout.readline())

    def end(self):
        self.process.kill()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class RememberTests(PageTest):
    def setUp(self):
        super().setUp()
        self.shell = Shell(self.daemon)
        self.addCleanup(self.shell.end)

    def grants(self):
        return self.daemon.call("GET", "/v1/grants")["grants"]

    def open_states(self):
        return [presentation["state"] for presentation in self.daemon.call("GET", "/v1/presentations")["presentations"]]

    def go(self, view):
        self.browser.execute_script("location.hash = arguments[0]", view)

    def answer_for_an_hour(self):
        """Answers Yes, remembered."""
        self.shell.ask("confirm 'Run it?'")
        self.wait_for_card("Run it?")
        self.find(".remember select[name=for]").send_keys("1")
        self.wait(lambda: self.find(".remember select[name=match]").is_displayed(), "what is remembered")
        self.click("Yes")
        self.assertEqual(0, self.shell.status())
        self.wait_for_text(".notes", "you: chose Yes, remembered: 1 h (u takes it back)")

    def test_a_choice_is_made_with_the_keyboard_and_answers_nothing(self):
        self.shell.ask("confirm 'Run it?'")
        self.wait_for_card("Run it?")
        period, match = self.find_all(".remember select")
        self.assertEqual("only this once\n1 h", period.text)
        self.assertEqual("Remember the answer", period.accessible_name)
        self.assertFalse(match.is_displayed())
        self.look("remember-once", [390, 1280])
        # The key of the button Yes, which finds here.
        period.send_keys("1")
        self.wait(match.is_displayed, "what is remembered")
        self.assertEqual("exactly this", match.text)
        self.look("remember", [390, 1280])
        self.wait(lambda: not self.find_all(".card.arming"), "the buttons")
        for field in [period, match]:
            for key in [Keys.ESCAPE, Keys.ENTER]:
                field.send_keys(key)
                self.assertEqual("SECTION", self.browser.switch_to.active_element.tag_name.upper())
        self.assertEqual(["presented"], self.open_states())
        # Back to once: nothing is remembered.
        period.send_keys(Keys.HOME)
        self.wait(lambda: not match.is_displayed(), "nothing to remember")
        self.click("Yes")
        self.assertEqual(0, self.shell.status())
        self.wait_for_text(".stage", "No prompts")
        self.assertEqual([], self.grants())
        self.assertFalse(self.find(".grants").is_displayed())

    def test_escape_remembers_nothing(self):
        self.shell.ask("confirm 'Run it?'")
        self.wait_for_card("Run it?")
        self.find(".remember select[name=for]").send_keys("1", Keys.ESCAPE)
        self.assertEqual(["presented"], self.open_states())
        self.press(Keys.ESCAPE)
        self.assertEqual(1, self.shell.status())
        self.wait_for_text(".notes", "you: chose No")
        self.assertNotIn("remembered", self.text(".notes"))
        self.assertEqual([], self.grants())

    def test_only_what_was_seen_whole_is_remembered(self):
        self.resize(390, 600)
        self.shell.ask("confirm 'Run it?' --command \"$(seq 200)\"")
        self.wait_for_card("Run it?")
        period = self.find(".remember select[name=for]")
        self.wait(lambda: not period.is_enabled(), "the choice to be refused")
        self.assertIn("Scroll to its end first", self.text(".remember"))
        self.look("remember-unseen", [390])
        self.browser.execute_script("document.querySelector('.clock').scrollIntoView({block: 'end'})")
        self.wait(period.is_enabled, "the choice")
        self.assertNotIn("Scroll", self.text(".remember"))
        self.click("No")
        self.assertEqual(1, self.shell.status())

    def test_a_remembered_answer_settles_equal_requests_until_it_is_revoked(self):
        self.answer_for_an_hour()
        self.wait(lambda: self.find(".grants").is_displayed(), "the list")
        self.assertIn("Yes: run x", self.text(".grants li"))
        self.assertIn("not used yet", self.text(".grants li"))
        self.shell.ask("confirm 'Run it again?'")
        self.assertEqual(0, self.shell.status())
        self.assertEqual([], self.find_all(".card"))
        self.assertEqual([1], [grant["used"] for grant in self.grants()])
        # Another act is asked about, and the list follows.
        self.shell.ask("confirm 'Run the other?'", "--act-verb run --act-object y --remember 1h")
        self.wait_for_card("Run the other?")
        self.wait_for_text(".grants li", "used once")
        self.look("grants", [390, 1280])
        self.press(Keys.ESCAPE)
        self.assertEqual(1, self.shell.status())
        self.wait_for_text(".stage", "No prompts")
        self.assertEqual(1, len(self.find_all(".grants li")))
        self.find(".grants li button").click()
        self.wait(lambda: not self.find(".grants").is_displayed(), "the list's end")
        self.assertEqual([], self.grants())
        self.shell.ask("confirm 'Run it now?'")
        self.wait_for_card("Run it now?")
        self.press(Keys.ESCAPE)
        self.assertEqual(1, self.shell.status())

    def test_always_says_what_it_covers_and_is_taken_back_with_u(self):
        act = "--act-verb run --act-object x --act-directory /srv --remember session,always"
        self.shell.ask("confirm 'Run it?'", act)
        self.wait_for_card("Run it?")
        self.find(".remember select[name=for]").send_keys("a")
        self.wait_for_text(".remember p:not([hidden])", "always: x, in /srv, by ")
        self.assertIn(", from /usr/bin/bash", self.text(".remember"))
        self.look("remember-always", [390, 1280])
        self.click("Yes")
        self.assertEqual(0, self.shell.status())
        self.wait_for_text(".notes", "you: chose Yes, remembered: always, here (u takes it back)")
        self.wait_for_text(".grants li", "always")
        self.shell.ask("confirm 'Run it again?'", act)
        self.assertEqual(0, self.shell.status())
        self.press("u")
        self.wait(lambda: not self.find(".grants").is_displayed(), "the list's end")
        self.assertEqual([], self.grants())
        self.shell.ask("confirm 'Run it now?'", act)
        self.wait_for_card("Run it now?")
        self.press("u")
        self.press(Keys.ESCAPE)
        self.assertEqual(1, self.shell.status())

    def test_the_record_says_that_nobody_looked(self):
        self.answer_for_an_hour()
        self.shell.ask("confirm 'Run it again?'")
        self.assertEqual(0, self.shell.status())
        self.resize(1280)
        self.go("log")
        self.wait(lambda: len(self.find_all("tbody tr")) == 2, "two lines")
        self.assertIn("Run it again?", self.text("tbody tr:first-child"))
        self.assertTrue(self.text("tbody tr:first-child td:nth-child(5)").endswith(", remembered"))
        self.assertNotIn("remembered", self.text("tbody tr:last-child"))
        self.resize(390)
        self.assertIn("remembered", self.text("tbody tr:first-child"))
        self.look("log-remembered", [390, 1280])
        self.follow("tbody tr:first-child a")
        self.wait_for_text(".story .outcome", "Yes, remembered")
        self.assertIn("answered, as remembered", self.text(".timeline"))
        self.assertIn("nobody was asked", self.text(".timeline"))
        self.assertIn("act\nrun x", self.text(".timeline"))
        self.go("log")
        self.wait(lambda: len(self.find_all("tbody tr")) == 2, "two lines")
        self.follow("tbody tr:last-child a")
        self.wait_for_text(".timeline", "answer remembered")
        self.assertIn("covers\nrun x", self.text(".timeline"))
        self.assertNotIn("as remembered", self.text(".timeline"))
        self.look("story-remembered", [390, 1280])

    def test_a_destructive_answer_is_not_remembered(self):
        self.shell.ask("alert 'Run it?' --destructive deploy=Deploy --button preview=Preview --cancel 'Not now'")
        self.wait_for_card("Run it?")
        self.find(".remember select[name=for]").send_keys("1")
        self.wait_for_text(".remember p:not([hidden])", "Not remembered: Deploy")
        self.check_accessibility()
        self.click("Deploy")
        self.assertEqual(0, self.shell.status())
        self.wait_for_text(".notes", "you: chose Deploy")
        self.assertNotIn("remembered", self.text(".notes"))
        self.assertEqual([], self.grants())

    def test_offers_nothing_for_a_request_without_it(self):
        id = self.daemon.alert("Deploy?")
        self.wait_for_card("Deploy?")
        self.assertEqual([], self.find_all(".remember"))
        self.assertFalse(self.find(".grants").is_displayed())
        self.press("2")
        self.assertEqual({"type": "answered", "button": "preview"}, self.daemon.outcome(id))
        self.shell.ask("confirm 'Run it?'", "--act-verb run --act-object x")
        self.wait_for_card("Run it?")
        self.assertEqual([], self.find_all(".remember"))
        self.press(Keys.ESCAPE)
        self.assertEqual(1, self.shell.status())
