"""The log, the charts, and the accessibility and layout of all views."""

from selenium.webdriver.common.keys import Keys

from browser import PageTest
from test_now import CONTACT


class ViewTests(PageTest):
    # Prompts answered at once have ended before the page fetches their text.
    expected_errors = ("/prompt - Failed to load resource: the server responded with a status of 404",)

    def fill(self):
        """Answers, dismisses and cancels a few prompts."""
        for number in range(12):
            app = ["deploy", "agent", "installer"][number % 3]
            id = self.daemon.alert(f"Question {number}", app=app, message="Of some weight.")
            generation = {"generation": 1}
            if number % 4 == 3:
                self.daemon.cancel(id)
            elif number % 4 == 2:
                self.daemon.call("POST", f"/v1/presentations/{id}/dismiss", generation)
            else:
                self.daemon.call("POST", f"/v1/presentations/{id}/answer", {"button": "preview", **generation})

    def go(self, view):
        self.browser.execute_script("location.hash = arguments[0]", view)

    def test_lists_filters_and_details_the_log(self):
        self.fill()
        self.go("log")
        self.wait(lambda: len(self.find_all("tbody tr")) == 12, "twelve lines")
        self.assertIn("Question 11", self.text("tbody tr"))
        self.find("input[name=app]").send_keys("agent")
        self.wait(lambda: len(self.find_all("tbody tr")) == 4, "the agent's four")
        self.find("select[name=outcome]").send_keys("answered")
        self.wait(lambda: len(self.find_all("tbody tr")) == 2, "those that were answered")
        self.find("input[name=app]").clear()
        self.find("input[name=app]").send_keys("nobody")
        self.wait_for_text("section.log", "Nothing like that is on record")
        self.go("log")
        self.browser.refresh()
        self.wait(lambda: len(self.find_all("tbody tr")) == 12, "twelve lines")
        self.find("input[type=search]").send_keys("Question 8")
        self.wait(lambda: len(self.find_all("tbody tr")) == 1, "the one that is searched for")
        self.find("tbody a").send_keys(Keys.ENTER)
        self.wait_for_text(".story h1", "Question 8")
        self.wait_for_text(".timeline", "requested")
        self.assertIn("answered", self.text(".timeline"))
        self.picture("story")

    def test_charts_the_recorded_outcomes(self):
        self.fill()
        self.go("charts")
        self.wait(lambda: len(self.find_all("figure")) == 3, "three charts")
        self.assertIn("12 ended; 0 open.", self.text("main"))
        self.assertGreater(len(self.find_all("svg rect.answered")), 0)
        self.assertIn("deploy", self.text("figure:nth-of-type(2)"))
        rows = self.browser.execute_script(
            "return [...document.querySelectorAll('figure:nth-of-type(2) tbody tr')].map((row) => row.textContent)")
        # All, answered, dismissed, canceled, expired, failed.
        self.assertEqual(["agent421100", "deploy421100", "installer421100"], sorted(rows))

    def test_is_accessible_in_light_and_dark_and_on_a_phone(self):
        self.fill()
        self.daemon.alert("Deploy 1.4.2 to production?", app="deploy", message="42 commits since the last release.\nThe last one is by Ada.", timeout=300)
        self.wait_for_card("Deploy 1.4.2")
        self.daemon.alert("Delete 3 files?", app="agent", priority="high")
        self.daemon.ask(kind="sheet", sheet="contact", schema=CONTACT | {"properties": {name: field for name, field in CONTACT["properties"].items() if name != "secret"}}, app="address-book")
        self.wait(lambda: len(self.find_all(".queue li")) == 2, "two that wait")
        self.look("now")
        self.browser.set_window_size(500, 900)
        self.look("now-phone")
        self.browser.set_window_size(1100, 900)
        for _ in range(2):
            self.wait(lambda: not self.find_all(".card.arming"), "the buttons")
            title = self.text(".card h1")
            self.press("2")
            self.wait(lambda: self.text(".card h1") not in ("", title), "the next")
        self.wait_for_card("A new contact")
        self.look("form")
        for view, ready in [("log", "tbody tr"), ("charts", "figure")]:
            self.go(view)
            self.wait(lambda: self.find_all(ready), ready)
            self.look(view)
        self.find("summary").click()
        self.check_accessibility()
        self.dark(False)

    def look(self, name):
        for is_dark in [False, True]:
            self.dark(is_dark)
            self.check_accessibility()
            # Nothing overflows the window horizontally.
            self.assertLessEqual(*self.browser.execute_script(
                "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"))
            self.picture(name + ("-dark" if is_dark else "-light"))
