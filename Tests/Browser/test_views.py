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
        self.wait_for_text("section.log", "No matching prompts")
        self.go("log")
        self.browser.refresh()
        self.wait(lambda: len(self.find_all("tbody tr")) == 12, "twelve lines")
        self.find("input[type=search]").send_keys("Question 8")
        self.wait(lambda: len(self.find_all("tbody tr")) == 1, "the one that is searched for")
        self.find("tbody a").send_keys(Keys.ENTER)
        self.wait_for_text(".story h1", "Question 8")
        self.wait_for_text(".timeline", "requested")
        timeline = self.text(".timeline")
        self.assertIn("answered", timeline)
        # In words: no JSON, and nothing that only the daemon uses.
        self.assertIn("detached", timeline)
        self.assertIn("kind\nquestion", timeline)
        self.assertNotIn("{", timeline)
        self.assertNotIn("requestHash", timeline)
        self.picture("story")

    def test_the_log_says_that_it_shows_the_newest_ones_and_names_kinds_in_words(self):
        for number in range(51):
            self.daemon.alert(f"Question {number}")
        self.go("log")
        self.wait_for_text("section.log", "Newest 50")
        self.assertEqual("any\nquestion\nchoice\nform\nfull-screen form", self.find("select[name=kind]").text)
        self.find("select[name=kind]").send_keys("form")
        self.wait_for_text("section.log", "No matching prompts")
        self.find("select[name=kind]").send_keys(Keys.HOME)
        self.wait_for_text("section.log", "Newest 50")
        self.click("Show older")
        self.wait_for_text("section.log", "51 prompts")

    def test_the_log_tells_yes_no_and_other_answers_apart_by_their_labels(self):
        buttons = [{"id": "go", "label": "Deploy now"}, {"id": "no", "label": "No", "role": "cancel"}]
        generation = {"generation": 1}
        for button in ["go", "no"]:
            id = self.daemon.ask(kind="alert", title=f"Press {button}", buttons=buttons, app="tests")
            self.daemon.call("POST", f"/v1/presentations/{id}/answer", {"button": button, **generation})
        id = self.daemon.alert("Three ways")
        self.daemon.call("POST", f"/v1/presentations/{id}/answer", {"button": "preview", **generation})
        self.go("log")
        self.wait(lambda: len(self.find_all("tbody tr")) == 3, "three lines")
        outcomes = [(line.get_attribute("class"), line.text) for line in self.find_all("tbody .outcome")]
        self.assertEqual([("outcome other", "Preview"), ("outcome no", "No"), ("outcome yes", "Deploy now [go]")], outcomes)
        colors = {line.value_of_css_property("color") for line in self.find_all("tbody .outcome")}
        self.assertEqual(3, len(colors))
        self.find("select[name=outcome]").send_keys("no")
        self.wait(lambda: self.browser.execute_script(
            "return [...document.querySelectorAll('tbody .outcome')].map((line) => line.innerText).join()") == "No", "the one that was declined")

    def test_lists_say_what_was_asked_and_which_agent_asked(self):
        for number, (session, place) in enumerate([("s", "blog"), ("session-1", "shop"), ("session-2", "shop")]):
            self.daemon.alert(
                "Run this?", app="claude-code", message="It checks the café.", attachments=[{"type": "command", "text": f"npm test {number}"}],
                metadata={"agent.session": session, "agent.directory": f"/srv/{place}"})
        self.wait(lambda: len(self.find_all(".queue li")) == 2, "two that wait")
        queue = self.text(".queue")
        for text in ["Run this? npm test 1", "claude-code · shop · on-1 1 prompt", "Run this? npm test 2", "claude-code · shop · on-2 1 prompt"]:
            self.assertIn(text, queue)
        # The color that the terminal has, too: RequesterNameTests.
        self.assertEqual(["claude-code · shop · on-1"], [name.text for name in self.find_all(".queue .session-3")])
        self.wait_for_card("Run this?")
        self.press("3")
        self.wait_for_text(".notes", "Run this? npm test 0 claude-code · blog · s you: chose Not now")
        self.go("log")
        self.wait(lambda: len(self.find_all("tbody tr")) == 3, "three lines")
        self.assertIn("claude-code · blog", self.text("tbody tr:last-child"))
        self.assertIn("npm test 0", self.text("tbody tr:last-child"))
        for search, marked, line in [("npm 2", ["npm", "2"], "npm test 2"), ("cafe", ["café"], "It checks the café."), ("*heck", ["heck"], "checks")]:
            field = self.find("input[type=search]")
            field.clear()
            field.send_keys(search)
            marks = "return [...document.querySelectorAll('tbody tr:first-child mark')].map((mark) => mark.textContent)"
            self.wait(lambda: self.browser.execute_script(marks) == marked, f"{marked} marked")
            self.assertIn(line, self.text("tbody tr"))
            self.check_accessibility()
        self.picture("log-search")
        self.follow("tbody a")
        self.wait_for_text(".story", "claude-code · shop")

    def test_the_log_on_a_phone_starts_with_the_log(self):
        self.fill()
        self.resize(390, 800)
        self.go("log")
        self.wait(lambda: len(self.find_all("tbody tr")) == 12, "twelve lines")
        self.assertLess(self.find("tbody tr").rect["y"], 260)
        self.assertFalse(self.find("input[type=search]").is_displayed())
        self.click("Filter")
        self.assertTrue(self.find("input[type=search]").is_displayed())

    def test_a_dead_link_says_so(self):
        self.expected_errors = ("404 (Not Found)", "400 (Bad Request)", "410 (Gone)")
        for id in ["00000000-0000-7000-8000-000000000000", "nothing"]:
            self.go(f"log/{id}")
            self.wait_for_text(".story .empty", f"no prompt with the id {id}")
        self.browser.get(self.daemon.origin + "/open/0")
        self.assertIn("Link expired or already used", self.text("h1"))
        self.check_accessibility()
        self.picture("link-used")
        self.browser.get(self.daemon.origin + "/nothing")
        self.assertIn("Page not found", self.text("h1"))

    def test_a_session_that_is_over_says_how_to_go_on(self):
        self.expected_errors = ("401 (Unauthorized)",)
        self.browser.delete_all_cookies()
        self.browser.get(self.daemon.origin)
        self.wait_for_text("main h1", "Not logged in")
        self.assertIn("routerctl web --open", self.text("main"))
        self.check_accessibility()
        self.picture("session-ended")

    def test_the_charts_show_what_is_on_record(self):
        self.fill()
        self.go("charts")
        self.wait(lambda: len(self.find_all("figure")) == 3, "three charts")
        self.assertIn("12 prompts", self.text("main").splitlines())
        self.assertGreater(len(self.find_all("svg rect.other")), 0)
        self.assertIn("deploy", self.text("figure:nth-of-type(2)"))
        rows = self.browser.execute_script(
            "return [...document.querySelectorAll('figure:nth-of-type(2) tbody tr')].map((row) => row.textContent)")
        # All, yes, no, other answers, dismissed, expired, cancelled, failed.
        self.assertEqual(["agent40021010", "deploy40021010", "installer40021010"], sorted(rows))
        # Text has the same size whatever the width.
        heights = set()
        for width in [390, 820, 1400]:
            self.resize(width)
            self.wait(lambda: self.browser.execute_script(
                "return [...document.querySelectorAll('svg.chart')].every((svg) => Math.abs(svg.viewBox.baseVal.width - svg.clientWidth) < 1)"),
                "the charts in their new width")
            heights.add(self.browser.execute_script("return document.querySelector('svg.chart text').getBoundingClientRect().height"))
        self.assertEqual(1, len(heights), heights)

    def test_is_accessible_in_light_and_dark_and_on_a_phone(self):
        self.fill()
        self.daemon.alert("Deploy 1.4.2 to production?", app="deploy", message="42 commits since the last release.\nThe last one is by Ada.", timeout=300)
        self.wait_for_card("Deploy 1.4.2")
        self.daemon.alert("Delete 3 files?", app="agent", priority="high")
        self.daemon.ask(kind="sheet", sheet="contact", schema=CONTACT | {"properties": {name: field for name, field in CONTACT["properties"].items() if name != "secret"}}, app="address-book")
        self.wait(lambda: len(self.find_all(".queue li")) == 2, "two that wait")
        self.look("now")
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
        self.go("log")
        self.wait(lambda: self.find_all("tbody a"), "the log")
        self.follow("tbody a")
        self.wait_for_text(".timeline", "requested")
        self.look("story")
        self.go("charts")
        self.wait(lambda: self.find_all("summary"), "the charts")
        self.find("summary").click()
        self.check_accessibility()
        self.dark(False)
