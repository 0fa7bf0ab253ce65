"""What is before the person now."""

import signal

from selenium.webdriver.common.keys import Keys

from browser import PageTest

CONTACT = {
    "type": "object",
    "title": "A new contact",
    "properties": {
        "name": {"type": "string", "title": "Name", "minLength": 2, "maxLength": 40},
        "age": {"type": "integer", "title": "Age", "minimum": 0, "maximum": 150},
        "group": {"type": "string", "title": "Group", "enum": ["Family", "Friends", "Work"]},
        "secret": {"type": "string", "title": "PIN", "format": "password", "minLength": 4},
    },
    "required": ["name", "age"],
}


class NowTests(PageTest):
    def test_an_alert_is_answered_with_the_keyboard_alone(self):
        for key, answer in [(Keys.ENTER, "preview"), (Keys.ESCAPE, "later"), ("1", "deploy")]:
            with self.subTest(answer):
                id = self.daemon.alert(f"Deploy to {answer}?")
                self.wait_for_card(f"Deploy to {answer}?")
                self.press(key)
                self.assertEqual({"type": "answered", "button": answer}, self.daemon.outcome(id))
                self.wait_for_text(".stage", "Nothing asks")

    def test_a_button_is_reached_with_the_tabulator(self):
        id = self.daemon.alert("Deploy?")
        self.wait_for_card("Deploy?")
        self.press(Keys.TAB)
        self.press(Keys.SPACE)
        self.assertEqual("deploy", self.daemon.outcome(id)["button"])

    def test_a_key_meant_for_what_was_there_before_answers_nothing(self):
        # Pressed at the moment at which the card is put up.
        self.browser.execute_script("""
            new MutationObserver((_, observer) => {
              if (!document.querySelector('.card')) return;
              observer.disconnect();
              for (const key of ['Enter', '1', 'Escape']) document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
              for (const button of document.querySelectorAll('.card button')) button.click();
            }).observe(document.body, {childList: true, subtree: true});""")
        id = self.daemon.alert("Deploy?")
        self.wait_for_card("Deploy?")
        self.assertEqual("presented", self.daemon.state(id))
        self.press("2")
        self.assertEqual("preview", self.daemon.outcome(id)["button"])

    def test_who_asks_stands_apart_from_what_it_says(self):
        self.daemon.alert("asked by: the bank", message="asked by\nroot (uid 0)")
        self.wait_for_card("asked by: the bank")
        known = self.text(".asker .known:first-child")
        self.assertIn("uid", known)
        self.assertIn("tests", self.text(".asker .own"))
        self.assertNotIn("bank", self.text(".asker"))

    def test_a_form_is_filled_in_wrongly_and_then_rightly(self):
        id = self.daemon.call("POST", "/v1/presentations", {
            "kind": "sheet", "sheet": "contact", "app": "tests",
            "schema": {**CONTACT, "properties": {name: field for name, field in CONTACT["properties"].items() if name != "secret"}},
        }, Prefer="respond-async")["id"]
        self.wait_for_card("A new contact")
        name, age, group = self.find_all(".field input, .field select")
        name.send_keys("A")
        age.send_keys("eleven")
        self.wait_for_text(".field:nth-child(2) .problem", "Age must be a whole number")
        self.wait_for_text(".field:nth-child(1) .problem", "at least 2 characters")
        self.picture("form-wrong")
        name.send_keys(Keys.ENTER)
        self.wait_for_text(".card .error", "2 fields need another look")
        self.assertEqual("presented", self.daemon.state(id))
        name.send_keys("da")
        age.clear()
        # More digits than a JavaScript number keeps would be changed on the way; this one only has to arrive.
        age.send_keys("36")
        group.send_keys("Friends")
        self.wait(lambda: self.text(".problem") == "", "no problem")
        age.send_keys(Keys.ENTER)
        self.assertEqual({"type": "answered", "value": {"name": "Ada", "age": 36, "group": "Friends"}}, self.daemon.outcome(id))

    def test_long_numbers_keep_their_digits(self):
        schema = {"type": "object", "properties": {"number": {"type": "integer"}}}
        id = self.daemon.ask(kind="sheet", sheet="number", schema=schema, app="tests")
        self.wait_for_card("number")
        self.press("9007199254740993", Keys.ENTER)
        self.assertEqual(9007199254740993, self.daemon.outcome(id)["value"]["number"])

    def test_what_was_typed_is_not_lost_to_one_escape(self):
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        id = self.daemon.ask(kind="sheet", sheet="contact", schema=schema, app="tests")
        self.wait_for_card("contact")
        self.press("Ada", Keys.ESCAPE)
        self.wait_for_text(".card .error", "would be lost")
        self.assertEqual("presented", self.daemon.state(id))
        self.press(Keys.ESCAPE)
        self.assertEqual({"type": "dismissed"}, self.daemon.outcome(id))

    def test_a_long_choice_is_found_by_typing(self):
        schema = {"type": "object", "properties": {"zone": {"type": "string", "enum": [f"zone {number}" for number in range(40)]}},
                  "required": ["zone"]}
        id = self.daemon.ask(kind="sheet", sheet="place", schema=schema, app="tests")
        self.wait_for_card("place")
        self.find("input[type=search]").send_keys("37")
        self.wait(lambda: self.find("select:not([aria-label=Surface])").get_property("value") == "zone 37", "the choice")
        self.click("Answer")
        self.assertEqual("zone 37", self.daemon.outcome(id)["value"]["zone"])

    def test_a_withdrawal_takes_it_away_at_once_and_says_why(self):
        id = self.daemon.alert("Still wanted?")
        self.wait_for_card("Still wanted?")
        self.daemon.cancel(id)
        self.wait_for_text(".notes", "no longer wanted")
        self.assertEqual([], self.find_all(".card"))

    def test_the_queue_behind_is_listed_and_comes_up_in_order(self):
        first = self.daemon.alert("First")
        self.wait_for_card("First")
        self.daemon.alert("Second")
        self.daemon.alert("Urgent", priority="critical")
        self.wait(lambda: len(self.find_all(".queue li")) == 2, "two that wait")
        self.assertEqual(["Urgent", "Second"], [line.text for line in self.find_all(".queue .title")])
        self.assertEqual("(3) Router", self.browser.title)
        self.press("2")
        self.daemon.outcome(first)
        self.wait_for_card("Urgent")

    def test_a_hostile_title_is_shown_as_text(self):
        title = "<img src=x onerror=alert(1)><script>document.title='owned'</script>&amp;"
        self.daemon.ask(kind="sheet", sheet="note", app="tests", payload={"text": "\u202egnp.exe\u0000<b>"}, schema=None, title=title)
        self.wait_for_card("<img src=x")
        self.assertEqual(title, self.text(".card h1"))
        self.assertEqual([], self.find_all(".card img, .card script, .card b"))
        self.assertIn("\\u202e", self.text(".card pre"))
        self.assertEqual("(1) Router", self.browser.title)

    def test_a_form_in_a_flow_goes_back(self):
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        with self.flow(schema) as id:
            self.wait_for_card("order")
            self.click("Leave")
            self.assertEqual({"type": "dismissed"}, self.daemon.outcome(id))

    def flow(self, schema):
        """A flow's root, attached as it must be."""
        import contextlib
        import json
        from router import UnixConnection

        @contextlib.contextmanager
        def open_flow():
            connection = UnixConnection(self.daemon.socket)
            connection.request(
                "POST", "/v1/presentations",
                body=json.dumps({"kind": "sheet", "sheet": "order", "schema": schema, "flow": True, "app": "tests"}),
                headers={"Accept": "text/event-stream"})
            response = connection.getresponse()
            line = b""
            while not line.startswith(b"event: presented"):
                line = response.readline()
            id = json.loads(response.readline().removeprefix(b"data: "))["id"]
            yield id
            connection.close()

        return open_flow()


class PasswordTests(PageTest):
    def test_a_password_is_hidden_and_reaches_its_asker_alone(self):
        import threading
        reply = {}
        request = {"kind": "sheet", "sheet": "contact", "schema": CONTACT, "app": "tests"}
        asker = threading.Thread(target=lambda: reply.update(self.daemon.call("POST", "/v1/presentations", request)))
        asker.start()
        self.wait_for_card("A new contact")
        name, age, group, secret = self.find_all(".field input, .field select")
        self.assertEqual("password", secret.get_attribute("type"))
        name.send_keys("Ada")
        age.send_keys("36")
        secret.send_keys("correct horse", Keys.ENTER)
        asker.join(30)
        self.assertEqual({"name": "Ada", "age": 36, "secret": "correct horse"}, reply["outcome"]["value"])
        self.wait_for_text(".stage", "Nothing asks")
        self.assertNotIn("correct horse", self.browser.page_source)


class TwoPagesTests(PageTest):
    expected_errors = ("409 (Conflict)",)

    def test_what_one_page_answers_the_other_takes_down(self):
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.browser.get(self.daemon.origin)
        self.wait_for_text("#connection", "connected")
        id = self.daemon.alert("Which of you?")
        self.wait_for_card("Which of you?")
        self.browser.switch_to.window(first)
        self.wait_for_card("Which of you?")
        self.press("2")
        self.assertEqual("preview", self.daemon.outcome(id)["button"])
        self.wait_for_text(".notes", "you: chose Preview")
        self.browser.switch_to.window(self.browser.window_handles[-1])
        self.wait_for_text(".notes", "answered elsewhere")
        self.assertEqual([], self.find_all(".card"))


class RestartTests(PageTest):
    # The daemon is away for a while, and the browser says so.
    expected_errors = ("net::ERR_", "503 (Service Unavailable)")

    def restart(self, how):
        id = self.daemon.alert("Over a restart?")
        self.wait_for_card("Over a restart?")
        self.daemon.stop(how)
        self.wait_for_text("#connection", "away")
        self.assertEqual([], self.find_all(".card"))
        self.daemon.start()
        self.wait_for_text("#connection", "connected")
        self.wait_for_card("Over a restart?")
        self.press("2")
        self.assertEqual("preview", self.daemon.outcome(id)["button"])

    def test_the_page_comes_back_with_the_daemon(self):
        self.restart(signal.SIGTERM)

    def test_the_page_comes_back_after_a_kill(self):
        self.restart(signal.SIGKILL)
