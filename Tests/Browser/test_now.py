"""The view of the current prompt."""

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
    def test_answers_an_alert_with_the_keyboard(self):
        for key, answer in [(Keys.ENTER, "preview"), (Keys.ESCAPE, "later"), ("1", "deploy")]:
            with self.subTest(answer):
                id = self.daemon.alert(f"Deploy to {answer}?")
                self.wait_for_card(f"Deploy to {answer}?")
                self.press(key)
                self.assertEqual({"type": "answered", "button": answer}, self.daemon.outcome(id))
                self.wait_for_text(".stage", "No prompts")

    def test_presses_the_button_that_the_request_chose_with_enter(self):
        id = self.daemon.alert("Deploy?", buttons=[
            {"id": "later", "label": "Not now", "role": "cancel"}, {"id": "wait", "label": "In an hour"},
            {"id": "deploy", "label": "Deploy", "role": "destructive", "isDefault": True}])
        self.wait_for_card("Deploy?")
        self.assertIn("Deploy", self.text("button.default"))
        self.press(Keys.ENTER)
        self.assertEqual("deploy", self.daemon.outcome(id)["button"])

    def test_marks_what_is_critical_and_offers_no_way_to_close_what_needs_an_answer(self):
        id = self.daemon.alert("Really?", buttons=[{"id": "ok", "label": "OK"}], severity="critical", dismissDisabled=True)
        self.wait_for_card("Really?")
        self.assertEqual("Critical", self.text(".card.critical .severity"))
        self.assertEqual(1, len(self.find_all(".card .buttons button")))
        self.press(Keys.ESCAPE)
        self.wait_for_text(".error", "needs an answer")
        for is_dark in [False, True]:
            self.dark(is_dark)
            self.check_accessibility()
            self.picture(f"critical-{'dark' if is_dark else 'light'}")
        self.dark(False)
        self.assertEqual("presented", self.daemon.state(id))
        self.press(Keys.ENTER)
        self.assertEqual("ok", self.daemon.outcome(id)["button"])

    def test_shows_the_progress_of_a_sheet(self):
        id = self.daemon.ask(kind="sheet", sheet="copying", title="Copying files", hasAnswer=False)
        self.wait_for_card("Copying files")
        for fraction, label in [(.25, "a.txt"), (.5, "b.txt")]:
            self.daemon.call("PUT", f"/v1/presentations/{id}/progress", {"fraction": fraction, "label": label})
            self.wait_for_text(".progress", label)
            self.assertEqual(fraction, self.find(".progress progress").get_property("value"))
        self.check_accessibility()
        self.picture("progress")

    def test_reaches_a_button_with_the_tab_key(self):
        id = self.daemon.alert("Deploy?")
        self.wait_for_card("Deploy?")
        # After who asks, which opens.
        self.press(Keys.TAB)
        self.press(Keys.TAB)
        self.press(Keys.SPACE)
        self.assertEqual("deploy", self.daemon.outcome(id)["button"])

    def test_ignores_keys_pressed_while_the_prompt_appears(self):
        # Pressed the moment the card appears.
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

    def test_separates_verified_facts_from_the_requesters_text(self):
        self.daemon.alert("asked by: the bank", message="asked by\nroot (uid 0)")
        self.wait_for_card("asked by: the bank")
        self.find(".asker summary").click()
        known = self.text(".asker .known:first-child")
        self.assertIn("uid", known)
        self.assertIn("tests", self.text(".asker .own"))
        self.assertNotIn("bank", self.text(".asker"))

    def test_markdown_a_command_and_a_diff_are_shown_in_full_and_marked(self):
        self.daemon.alert(
            "Apply it?", messageFormat="markdown",
            message="# Why\n**Bold** and `code`\n- one\n- two\n\n[bank](https://evil.example) <b>no</b> ![x](http://a/b.png)",
            attachments=[{"type": "command", "text": "rm -rf \u202e/x\u200b\t\u05d0\u05d1", "title": "As root"},
                         {"type": "diff", "text": "@@ -1 +1 @@\n-old\n+new\n same\n"}])
        self.wait_for_card("Apply it?")
        self.click("Show all")
        self.assertEqual("Why", self.text(".words .heading"))
        self.assertEqual(["one", "two"], [item.text.partition("\n")[2] or item.text[1:].strip() for item in self.find_all(".items li")])
        self.assertIn("bank <https://evil.example> <b>no</b> !x <http://a/b.png>", self.text(".words"))
        self.assertEqual([], self.find_all(".words a, .words img, .words b"))
        figures = self.find_all(".words figure")
        self.assertEqual("As root\nrm -rf \\u{202E}/x\\u{200B}→   \u05d0\u05d1", figures[0].text)
        self.assertEqual(["\\u{202E}", "\\u{200B}→   "], [mark.get_property("textContent") for mark in figures[0].find_elements("css selector", ".mark")])
        self.assertEqual(["-old\n", "+new\n"], [line.get_property("textContent") for line in figures[1].find_elements("css selector", ".removed, .added")])
        # Who asks stays louder than anything that is said, and out of its frame.
        self.assertFalse(self.browser.execute_script("return document.querySelector('.words').contains(document.querySelector('.asker'))"))
        self.look("rich")

    def test_the_keys_are_explained_and_answer_nothing_meanwhile(self):
        id = self.daemon.alert("Deploy?")
        self.wait_for_card("Deploy?")
        self.press("?")
        self.wait_for_text("dialog[open]", "press a button by its position")
        self.check_accessibility()
        self.picture("keys")
        self.press("1")
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.find_all("dialog[open]"), "the dialog's end")
        self.assertEqual("presented", self.daemon.state(id))
        self.assertTrue(self.find(".card kbd").is_displayed())
        self.touch(True)
        self.wait(lambda: not self.find(".card kbd").is_displayed(), "no keys without a keyboard")
        self.touch(False)

    def test_a_prompt_tells_of_itself_only_after_a_click(self):
        self.browser.execute_script("""
            window.told = [];
            window.Notification = class {
              static permission = 'default';
              static requests = 0;
              static async requestPermission() {
                this.requests += 1;
                return this.permission = 'granted';
              }
              constructor(title, options) { told.push([title, options.body]); }
              close() { told.push('closed'); }
            };
            document.hasFocus = () => false;""")
        told = lambda: self.browser.execute_script("return told")
        first = self.daemon.alert("First?")
        self.wait_for_card("First?")
        self.assertEqual([[], 0], self.browser.execute_script("return [told, Notification.requests]"))
        self.assertEqual("/icon-asks.svg", self.find("link[rel=icon]").get_dom_attribute("href"))
        self.daemon.cancel(first)
        self.wait_for_text(".notes", "cancelled")
        self.assertEqual("/icon.svg", self.find("link[rel=icon]").get_dom_attribute("href"))
        for label in ["Notifications", "Sound"]:
            self.click(label)
            self.wait(lambda: self.find_all(f".toggle[aria-pressed=true]")[-1].text.endswith(label), label)
        second = self.daemon.alert("Second?")
        self.wait_for_card("Second?")
        [[title, body]] = told()
        self.assertTrue(title.startswith("asked by "), title)
        self.assertEqual("Second?", body)
        self.daemon.cancel(second)
        self.wait(lambda: told()[-1] == "closed", "the notification's end")
        for label in ["Notifications", "Sound"]:
            self.click(label)
        self.wait(lambda: not self.find_all(".toggle[aria-pressed=true]"), "both off")

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
        self.wait_for_text(".card .error", "2 fields are invalid")
        self.assertEqual("presented", self.daemon.state(id))
        name.send_keys("da")
        age.clear()
        # A short number; test_keeps_the_digits_of_long_numbers covers long ones.
        age.send_keys("36")
        group.send_keys("Friends")
        self.wait(lambda: self.text(".problem") == "", "no problem")
        age.send_keys(Keys.ENTER)
        self.assertEqual({"type": "answered", "value": {"name": "Ada", "age": 36, "group": "Friends"}}, self.daemon.outcome(id))

    def test_keeps_the_digits_of_long_numbers(self):
        schema = {"type": "object", "properties": {"number": {"type": "integer"}}}
        id = self.daemon.ask(kind="sheet", sheet="number", schema=schema, app="tests")
        self.wait_for_card("number")
        self.press("9007199254740993", Keys.ENTER)
        self.assertEqual(9007199254740993, self.daemon.outcome(id)["value"]["number"])

    def test_requires_a_second_escape_to_discard_typed_text(self):
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        id = self.daemon.ask(kind="sheet", sheet="contact", schema=schema, app="tests")
        self.wait_for_card("contact")
        self.press("Ada", Keys.ESCAPE)
        self.wait_for_text(".card .error", "will be lost")
        self.assertEqual("presented", self.daemon.state(id))
        self.press(Keys.ESCAPE)
        self.assertEqual({"type": "dismissed"}, self.daemon.outcome(id))

    def test_filters_a_long_list_of_choices_by_typing(self):
        schema = {"type": "object", "properties": {"zone": {"type": "string", "enum": [f"zone {number}" for number in range(40)]}},
                  "required": ["zone"]}
        id = self.daemon.ask(kind="sheet", sheet="place", schema=schema, app="tests")
        self.wait_for_card("place")
        self.find("input[type=search]").send_keys("37")
        self.wait_for_text(".checks label:has(:checked)", "zone 37")
        self.click("Answer")
        self.assertEqual("zone 37", self.daemon.outcome(id)["value"]["zone"])

    def test_checks_several_choices_of_a_short_list(self):
        choices = [{"const": "a", "title": "Apple"}, {"const": "b", "title": "<b>Berry</b>"}, {"const": "c", "title": "Cherry"}]
        schema = {"type": "object", "properties": {
            "fruit": {"type": "array", "title": "Fruit", "items": {"anyOf": choices}, "default": ["a"], "minItems": 1}}, "required": ["fruit"]}
        id = self.daemon.ask(kind="sheet", sheet="fruit", schema=schema, app="tests")
        self.wait_for_card("fruit")
        self.assertEqual("Apple\n<b>Berry</b>\nCherry", self.text(".checks"))
        self.assertEqual("Fruit", self.browser.switch_to.active_element.find_element("xpath", "ancestor::*[@role='group']").accessible_name)
        self.press(Keys.SPACE)
        self.wait_for_text(".problem", "Fruit is required")
        self.check_accessibility()
        self.picture("checks-wrong")
        self.press(Keys.SPACE, Keys.ARROW_DOWN)
        self.press(Keys.ARROW_DOWN)
        self.press(Keys.SPACE)
        self.wait(lambda: self.text(".problem") == "", "no problem")
        self.press(Keys.ENTER)
        self.assertEqual({"fruit": ["a", "c"]}, self.daemon.outcome(id)["value"])

    def test_filters_ten_thousand_choices_and_checks_some(self):
        schema = {"type": "object", "properties": {
            "zones": {"type": "array", "items": {"type": "string", "enum": [f"zone {number}" for number in range(10000)]}}}, "required": ["zones"]}
        id = self.daemon.ask(kind="sheet", sheet="places", schema=schema, app="tests")
        self.wait_for_card("places")
        for text in ["9998", "77"]:
            search = self.find("input[type=search]")
            search.clear()
            search.send_keys(text, Keys.ARROW_DOWN)
            self.press(Keys.SPACE)
        self.wait_for_text(".count", "2 of 10000 chosen")
        self.check_accessibility()
        self.picture("checks-many")
        self.click("Answer")
        self.assertEqual(["zone 77", "zone 9998"], self.daemon.outcome(id)["value"]["zones"])

    def test_removes_a_withdrawn_prompt_and_says_why(self):
        id = self.daemon.alert("Still wanted?")
        self.wait_for_card("Still wanted?")
        self.daemon.cancel(id)
        self.wait_for_text(".notes", "cancelled")
        self.assertEqual([], self.find_all(".card"))

    def test_lists_the_queue_and_shows_it_in_order(self):
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

    def test_counts_prompts_that_arrive_while_the_first_one_is_fetched(self):
        self.browser.execute_script("""
            const fetched = window.fetch;
            const released = new Promise((release) => { window.release = release; });
            window.fetch = async (path, options) => {
                if (path.endsWith("/prompt")) await released;
                return fetched(path, options);
            };""")
        self.daemon.alert("First?")
        self.daemon.alert("Second?")
        self.wait_for_text(".queue h2", "1 queued")
        self.browser.execute_script("window.release()")
        self.wait_for_card("First?")
        self.wait_for_text(".badge", "2")

    def test_groups_the_queue_by_session(self):
        def ask(title, session, app="claude-code", place="shop"):
            labels = {"agent.session": session, "agent.directory": f"/srv/{place}"} if session else {}
            return self.daemon.alert(title, app=app, metadata=labels)

        first = ask("Run npm test?", "session-1")
        self.wait_for_card("Run npm test?")
        for number in range(2):
            ask(f"Edit cart.py ({number})?", "session-1")
        self.wait(lambda: len(self.find_all(".queue li")) == 2, "two that wait")
        # One session needs no heading.
        self.assertEqual([], self.find_all(".queue h3"))
        self.assertIn("claude-code · shop · on-1 · uid", self.text(".queue li"))
        # The prompt names it in the same words and color.
        self.assertEqual("claude-code · shop · on-1", self.text(".card .words .session .session-3"))
        ask("Run hugo?", "session-2", app="codex", place="blog")
        ask("Deploy 1.4.2?", None, app="deploy")
        ask("Run make?", "session-1", place="docs")
        ask("Run rsync?", "session-2", app="codex", place="blog")
        self.wait(lambda: len(self.find_all(".queue li")) == 6, "six that wait")
        self.assertEqual(
            [["claude-code · shop · on-1 3 prompts", ["#2", "#3", "#6 · claude-code · docs · on-1"]], ["codex · blog · on-2 2 prompts", ["#4", "#7"]],
             ["deploy 1 prompt", ["#5"]]],
            [[section.find_element("css selector", "h3").text, [
                line.text.split(" · uid")[0] for line in section.find_elements("css selector", "li > .faint")]]
             for section in self.find_all(".queue section")])
        # The colors that the terminal has, too: RequesterNameTests.
        self.assertEqual(1, len(self.find_all(".queue h3 .session-3")))
        self.assertEqual(1, len(self.find_all(".queue h3 .session-0")))
        self.look("sessions", [390, 1100])
        self.find(".queue section:last-child li button").click()
        self.wait_for_card("Deploy 1.4.2?")
        self.wait_for_text(".queue h3", "claude-code · shop · on-1 4 prompts")
        self.assertEqual("queued", self.daemon.state(first))

    def test_says_that_router_is_off(self):
        self.daemon.call("PUT", "/v1/switch", {"off": True, "for": 3600})
        self.browser.execute_script('window.dispatchEvent(new Event("focus"))')
        self.wait_for_text(".queue h2", "Queue empty · Router is off until ")
        self.daemon.call("PUT", "/v1/switch", {"off": False})
        self.browser.execute_script('window.dispatchEvent(new Event("focus"))')
        self.wait(lambda: self.find(".queue h2").text == "Queue empty", "Router to be on")

    def test_puts_a_prompt_off_and_shows_another_first(self):
        first, second, third = [self.daemon.alert(title) for title in ["First", "Second", "Third"]]
        self.wait_for_card("First")
        self.find(".later select").send_keys("1 h")
        # A key in the list presses nothing.
        self.find(".later select").send_keys(Keys.ESCAPE)
        self.find(".later button").click()
        self.wait_for_card("Second")
        self.wait_for_text(".notes", "you: snoozed: 1 h")
        self.wait_for_text(".queue ol", "not before")
        self.assertEqual(["Third", "First"], [line.text for line in self.find_all(".queue .title")])
        self.picture("later")
        self.find(".queue li:last-child button").click()
        self.wait_for_card("First")
        self.wait(lambda: [line.text for line in self.find_all(".queue .title")] == ["Second", "Third"], "the queue")
        self.check_accessibility()
        self.press("1")
        self.daemon.outcome(first)
        self.wait_for_card("Second")
        events = self.daemon.call("GET", "/v1/log/events?limit=100")["events"]
        self.assertEqual({"snoozed", "raised"}, {event["detail"]["reason"] for event in events if event["type"] == "withdrawn"})

    def test_pauses_a_session_and_lets_it_ask_again(self):
        def ask(title, session, app="claude-code", place="shop"):
            labels = {"agent.session": session, "agent.directory": f"/srv/{place}"}
            return self.daemon.alert(title, app=app, metadata=labels)

        first = ask("Run npm test?", "session-1")
        self.wait_for_card("Run npm test?")
        ask("Run make?", "session-1")
        ask("Run hugo?", "session-2", app="codex", place="blog")
        self.wait(lambda: len(self.find_all(".queue li")) == 2, "two that wait")
        # What is shown, and all else of its session.
        self.find(".later select").send_keys("1 h")
        self.find(".later input").click()
        self.find(".later button").click()
        self.wait_for_card("Run hugo?")
        self.wait_for_text(".notes", "you: paused until ")
        self.wait_for_text(".queue .paused", "claude-code · shop · on-1 paused until")
        self.assertRegex(self.text(".queue .paused span"), r"until (.* )?\d\d:\d\d$")
        self.assertEqual(1, len(self.find_all(".queue .paused .session-3")))
        ask("Run ls?", "session-1")
        self.wait(lambda: len(self.find_all(".queue li")) == 3, "three that wait")
        self.assertTrue(all("not before" in line.text for line in self.find_all(".queue li")))
        self.check_accessibility()
        self.look("paused", [390, 1100])
        self.press("1")
        self.wait_for_text(".stage", "No prompts")
        self.find(".queue .paused button").click()
        self.wait_for_card("Run npm test?")
        self.wait(lambda: not self.find_all(".queue .paused"), "no pause")
        # A session that waits is paused by the button beside its name.
        ask("Run hugo again?", "session-2", app="codex", place="blog")
        self.wait(lambda: len(self.find_all(".queue section")) == 2, "two sessions")
        self.find(".queue section:last-child .row button").click()
        self.wait_for_text(".queue .paused", "codex · blog · on-2 paused until")
        self.assertEqual("presented", self.daemon.state(first))

    def test_names_each_button_of_the_queue_for_what_it_acts_on(self):
        # As many alike, of two sessions, one of which is paused.
        for number in range(14):
            labels = {"agent.session": f"session-{number % 2}", "agent.directory": f"/srv/{'shop' if number % 2 else 'blog'}"}
            self.daemon.alert("Run npm test?", app="claude-code", metadata=labels)
        self.wait(lambda: len(self.find_all(".queue li")) == 13, "those that wait")
        self.find(".queue section:last-of-type .row button").click()
        self.wait(lambda: self.find_all(".queue .paused"), "the pause")
        self.wait(lambda: len(self.find_all(".queue li")) == 13, "those that wait")
        buttons = self.find_all(".queue button")
        names = [button.accessible_name for button in buttons]
        self.assertGreater(len(names), 13)
        self.assertEqual(len(names), len(set(names)), names)
        for button, name in zip(buttons, names):
            # What is seen begins the name, for those who say it.
            self.assertTrue(name.startswith(button.text), name)
            self.assertGreater(len(name), len(button.text))
        self.wait_for_card("Run npm test?")
        self.check_accessibility()

    def test_offers_no_time_after_a_prompt_expires(self):
        self.daemon.alert("Soon?", timeout=600)
        self.wait_for_card("Soon?")
        self.assertEqual([], self.find_all(".later"))
        self.daemon.alert("Later?", timeout=1200)
        self.press("2")
        self.wait_for_card("Later?")
        self.assertEqual(["15 min"], [option.text for option in self.find_all(".later option")])

    def test_shows_a_hostile_title_as_text(self):
        title = "<img src=x onerror=alert(1)><script>document.title='owned'</script>&amp;"
        self.daemon.ask(kind="sheet", sheet="note", app="tests", payload={"text": "\u202egnp.exe\u0000<b>"}, schema=None, title=title)
        self.wait_for_card("<img src=x")
        self.assertEqual(title, self.text(".card h1"))
        self.assertEqual([], self.find_all(".card img, .card script, .words b"))
        self.assertIn("\\u202e", self.text(".card pre"))
        self.assertEqual("(1) Router", self.browser.title)

    def test_leaves_a_flow_from_its_root(self):
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        with self.flow(schema) as id:
            self.wait_for_card("order")
            self.click("Leave")
            self.assertEqual({"type": "dismissed"}, self.daemon.outcome(id))

    def flow(self, schema):
        """Opens the root of a flow over an attached connection."""
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
    def test_hides_a_password_and_returns_it_to_the_requester_only(self):
        import threading
        reply = {}
        request = {"kind": "sheet", "sheet": "contact", "schema": CONTACT, "app": "tests"}
        asker = threading.Thread(target=lambda: reply.update(self.daemon.call("POST", "/v1/presentations", request)))
        asker.start()
        self.wait_for_card("A new contact")
        name, age, group, secret = self.find_all(".field input, .field select")
        self.assertEqual("password", secret.get_attribute("type"))
        self.assertEqual([], self.find_all(".why"))
        name.send_keys("Ada")
        age.send_keys("36")
        secret.send_keys("correct horse", Keys.ENTER)
        asker.join(30)
        self.assertEqual({"name": "Ada", "age": 36, "secret": "correct horse"}, reply["outcome"]["value"])
        self.wait_for_text(".stage", "No prompts")
        self.assertNotIn("correct horse", self.browser.page_source)


class TwoPagesTests(PageTest):
    expected_errors = ("409 (Conflict)",)

    def test_removes_a_prompt_that_was_answered_on_another_page(self):
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
    # The browser reports errors while the daemon is away.
    expected_errors = ("net::ERR_", "503 (Service Unavailable)")

    def restart(self, how):
        id = self.daemon.alert("Over a restart?")
        self.wait_for_card("Over a restart?")
        self.daemon.stop(how)
        self.wait_for_text("#connection", "no connection")
        self.assertEqual([], self.find_all(".card"))
        self.daemon.start()
        self.wait_for_text("#connection", "connected")
        self.wait_for_card("Over a restart?")
        self.press("2")
        self.assertEqual("preview", self.daemon.outcome(id)["button"])

    def test_reconnects_after_a_clean_restart(self):
        self.restart(signal.SIGTERM)

    def test_reconnects_after_a_kill(self):
        self.restart(signal.SIGKILL)
