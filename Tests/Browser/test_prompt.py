# Promise P74.
"""What a person reads before an answer counts: the guard, the order, and who asks."""

import json
import os
import shutil
import subprocess
import sys
import unittest
import unittest.mock

from selenium.webdriver.common.keys import Keys

from browser import PageTest

ALLOW = [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "role": "cancel", "isDefault": True}]
FORM = {"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}}

# Ten keys or clicks a second.
TYPING = """
    window.typed = 0;
    window.type = () => {
      const deeds = ['Enter', '1', 'Escape', 'click', 'a'];
      window.typing = setInterval(() => {
        const deed = deeds[typed++ % deeds.length];
        if (deed === 'click') document.querySelector('.card .buttons button')?.click();
        else document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: deed, bubbles: true, cancelable: true}));
      }, 100);
    };"""


class GuardTests(PageTest):
    def type_until(self, count):
        self.wait(lambda: self.browser.execute_script("return typed") >= count, f"{count} keys")

    def test_keys_typed_into_a_queue_of_ten_answer_nothing_unread(self):
        self.browser.execute_script(TYPING + "type();")
        ids = [self.daemon.alert(f"Question {number}") for number in range(10)]
        self.wait_for_text(".card h1", "Question 0")
        self.type_until(35)
        self.assertEqual("presented", self.daemon.state(ids[0]))
        self.browser.execute_script("clearInterval(typing)")
        self.wait_for_card("Question 0")
        # The next one, from the moment it appears.
        self.browser.execute_script("""
            window.typed = 0;
            new MutationObserver((_, observer) => {
              if (document.querySelector('.card h1')?.innerText !== 'Question 1') return;
              observer.disconnect();
              type();
            }).observe(document.body, {childList: true, subtree: true});""")
        self.press("2")
        self.assertEqual("preview", self.daemon.outcome(ids[0])["button"])
        self.type_until(35)
        self.browser.execute_script("clearInterval(typing)")
        self.assertEqual(["presented"] + 8 * ["queued"], [self.daemon.state(id) for id in ids[1:]])
        self.wait_for_card("Question 1")
        self.press("2")
        self.assertEqual("preview", self.daemon.outcome(ids[1])["button"])

    def test_is_longer_for_a_prompt_that_replaces_another(self):
        guard = lambda: self.browser.execute_script("return document.querySelector('.card').style.getPropertyValue('--arming')")
        first = self.daemon.alert("First")
        self.wait_for_card("First")
        self.assertEqual("500ms", guard())
        self.daemon.alert("Second")
        self.press("2")
        self.daemon.outcome(first)
        self.wait_for_card("Second")
        self.assertEqual("1000ms", guard())

    def test_the_escape_that_leaves_a_form_does_not_deny_the_next_prompt(self):
        form = self.daemon.ask(kind="sheet", sheet="contact", schema=FORM, app="tests")
        self.wait_for_card("contact")
        next = self.daemon.alert("Deploy?")
        self.browser.execute_script("""
            new MutationObserver((_, observer) => {
              if (document.querySelector('.card h1')?.innerText !== 'Deploy?') return;
              observer.disconnect();
              document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
            }).observe(document.body, {childList: true, subtree: true});""")
        self.press(Keys.ESCAPE)
        self.assertEqual({"type": "dismissed"}, self.daemon.outcome(form))
        self.wait_for_card("Deploy?")
        self.assertEqual("presented", self.daemon.state(next))
        self.press(Keys.ESCAPE)
        self.assertEqual("later", self.daemon.outcome(next)["button"])

    def test_the_first_field_takes_keys_when_the_guard_is_over(self):
        self.browser.execute_script("""
            new MutationObserver((_, observer) => {
              if (!document.querySelector('.card')) return;
              observer.disconnect();
              window.focused = document.activeElement.tagName;
            }).observe(document.body, {childList: true, subtree: true});""")
        self.daemon.ask(kind="sheet", sheet="contact", schema=FORM, app="tests")
        self.wait_for_card("contact")
        self.assertNotEqual("INPUT", self.browser.execute_script("return focused"))
        self.assertEqual("INPUT", self.browser.switch_to.active_element.tag_name.upper())


class OrderTests(PageTest):
    def ask_to_run(self, command="npm test", kind="command", **request):
        return self.daemon.ask(
            **{"kind": "alert", "title": "Run it?", "buttons": ALLOW, "app": "python3", "attachments": [{"type": kind, "text": command}], **request})

    def top(self, selector):
        return self.find(selector).rect["y"]

    def test_the_command_comes_before_what_the_agent_says(self):
        id = self.ask_to_run(
            message="\n".join(f"Reason {number}, which is given at length." for number in range(20)),
            attachments=[{"type": "command", "text": "npm test", "title": "Command in ~/shop"},
                         {"type": "text", "text": "run_in_background: true", "title": "Details"}])
        self.wait_for_card("Run it?")
        self.resize(1280, 800)
        self.assertEqual(["npm test", "run_in_background: true"], [part.text for part in self.find_all(".words pre")])
        self.assertLess(self.top(".words figure:last-of-type"), self.top(".aside"))
        quote = self.find(".aside blockquote")
        folded = quote.size["height"]
        self.assertLess(folded, 3 * 22)
        self.look("agent", [390, 1280])
        self.click("Show all")
        self.assertGreater(quote.size["height"], 20 * 18)
        self.assertTrue(self.text(".aside blockquote").endswith("Reason 19, which is given at length."))
        self.click("Show less")
        self.assertEqual(folded, quote.size["height"])
        # Enter denies, and the button says so.
        self.assertIn("Deny", self.text("button.default"))
        self.press(Keys.ENTER)
        self.assertEqual("deny", self.daemon.outcome(id)["button"])

    def test_a_long_message_is_folded_below_a_command_and_whole_without_one(self):
        message = "\n".join(f"Line {number}" for number in range(20))
        self.ask_to_run(message=message)
        self.wait_for_card("Run it?")
        self.assertLess(self.find(".aside blockquote").size["height"], 3 * 22)
        self.ask_to_run(message=message, attachments=[], title="No command?")
        self.click("Deny")
        self.wait_for_card("No command?")
        self.assertEqual([], self.find_all(".aside, .folded"))
        self.assertTrue(self.text(".words").endswith("Line 19"))

    def test_the_button_says_what_was_not_seen_until_it_was(self):
        self.resize(1280, 800)
        diff = "@@ -0,0 +1,200 @@\n" + "\n".join(f"+line {number}" for number in range(200))
        id = self.ask_to_run(diff, "diff", message="Small.")
        self.wait_for_card("Run it?")
        self.wait_for_text(".buttons", "Allow without seeing all of it")
        self.assertIn("Deny", self.text(".buttons"))
        self.assertNotIn("Deny without", self.text(".buttons"))
        foot = self.browser.execute_script("return document.querySelector('.foot').getBoundingClientRect().bottom")
        self.assertLessEqual(foot, 800)
        self.look("diff", [390, 1280])
        self.resize(1280, 800)
        self.browser.execute_script("document.querySelector('.clock').scrollIntoView({block: 'end'})")
        self.wait_for_text(".buttons", "Allow1")
        # Back at the start, it has been seen.
        self.browser.execute_script("window.scrollTo(0, 0)")
        self.press("1")
        self.assertEqual("allow", self.daemon.outcome(id)["button"])

    def read_on(self, id):
        """Presses Enter until all has been seen, and returns how often."""
        presses = 0
        while not self.find_all("button.default") and presses < 60:
            self.assertIn("without seeing all of it", self.text(".buttons"))
            self.assertNotIn("↵", self.text(".buttons"))
            self.press(Keys.ENTER)
            presses += 1
        # An Enter that was meant to read on, too.
        self.press(Keys.ENTER)
        self.assertEqual("presented", self.daemon.state(id))
        return presses

    def test_enter_reads_on_and_answers_what_was_seen(self):
        self.resize(390, 700)
        lines = "\n".join(f"echo {number}" for number in range(200))
        yes = [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "role": "cancel"}]
        for number, request in enumerate([
                {"attachments": [{"type": "command", "text": lines}], "buttons": yes},
                {"attachments": [{"type": "diff", "text": "@@ -0,0 +1,200 @@\n+" + lines.replace("\n", "\n+")}], "buttons": yes},
                {"attachments": [], "message": lines, "buttons": yes},
                {"attachments": [{"type": "command", "text": lines}], "buttons": ALLOW}]):
            with self.subTest(number):
                id = self.ask_to_run(title=f"Run {number}?", **request)
                self.wait_for_card(f"Run {number}?")
                self.assertGreater(self.read_on(id), 5)
                self.picture(f"read-on-{number}")
                self.wait_for_card(f"Run {number}?")
                self.press(Keys.ENTER)
                self.assertEqual("deny" if request["buttons"] is ALLOW else "allow", self.daemon.outcome(id)["button"])

    def test_a_form_is_not_submitted_before_its_text_was_seen(self):
        self.resize(390, 700)
        id = self.daemon.ask(
            kind="sheet", sheet="contact", schema=FORM, app="tests", message="\n".join(f"Term {number}." for number in range(200)))
        self.wait_for_card("contact")
        self.assertGreater(self.read_on(id), 5)
        self.wait_for_card("contact")
        self.find(".field input").send_keys("Ada", Keys.ENTER)
        self.assertEqual({"name": "Ada"}, self.daemon.outcome(id)["value"])

    def test_escape_leaves_what_is_not_the_prompt_and_clears_a_search_first(self):
        buttons = [{"id": f"c{number}", "label": f"branch {number}"} for number in range(1, 41)]
        id = self.daemon.ask(kind="confirmationDialog", title="Which?", app="python3", buttons=buttons)
        self.wait_for_card("Which?")
        self.press("3")
        self.wait_for_text(".count", "1 of 13 found")
        self.press(Keys.ESCAPE)
        self.wait_for_text(".count", "of 40")
        self.assertEqual("presented", self.daemon.state(id))
        self.find("nav a").send_keys(Keys.ESCAPE)
        self.assertEqual("presented", self.daemon.state(id))
        self.press(Keys.ESCAPE)
        self.assertEqual({"type": "dismissed"}, self.daemon.outcome(id))

    def test_long_labels_are_whole_on_a_phone(self):
        self.resize(390, 700)
        end = "and everything below it: DELETE IT"
        labels = [f"Yes, tidy the build directory of the shop {number}, {end}" for number in range(2)]
        self.daemon.ask(kind="alert", title="Tidy?", app="tests", buttons=[{"id": f"b{number}", "label": label} for number, label in enumerate(labels)])
        self.wait_for_card("Tidy?")
        for button in self.find_all(".buttons button")[:2]:
            self.assertEqual(*self.browser.execute_script("return [arguments[0].scrollWidth, arguments[0].clientWidth]", button))
            self.assertIn(end, button.text)
        self.picture("long-labels")
        self.click("Dismiss")
        choice = {"type": "string", "title": "What", "enum": labels}
        self.daemon.ask(kind="sheet", sheet="tidy", schema={"type": "object", "properties": {"what": choice}}, app="tests")
        self.wait_for_card("tidy")
        # A drop-down list would cut them.
        self.assertEqual([], self.find_all(".field select"))
        for row in self.find_all(".checks label")[1:]:
            self.assertEqual(*self.browser.execute_script("return [arguments[0].scrollWidth, arguments[0].clientWidth]", row))
            self.assertIn(end, row.text)
        self.check_accessibility()
        self.picture("long-choices")

    def test_the_view_starts_at_the_command_below_a_long_title(self):
        self.resize(390, 600)
        self.ask_to_run(title="Run it? " * 120)
        self.wait_for_card("Run it?")
        top, foot = self.browser.execute_script(
            "return ['.words figure', '.foot'].map((part) => document.querySelector(part).getBoundingClientRect().top)")
        self.assertGreaterEqual(top, 0)
        self.assertLess(top + 48, foot)

    def test_what_fits_has_been_seen_and_the_window_is_used(self):
        self.resize(1280, 900)
        self.ask_to_run("+" + "\n+".join("x" * 100 for _ in range(20)), "diff")
        self.wait_for_card("Run it?")
        self.wait_for_text(".buttons", "Allow1")
        self.assertGreater(self.find(".card").size["width"], 1000)
        pre = self.find(".words pre")
        # No line is broken, and nothing scrolls within the prompt.
        self.assertLess(pre.size["height"], 22 * 22)
        self.assertEqual(*self.browser.execute_script("return [arguments[0].scrollHeight, arguments[0].clientHeight]", pre))


# Promise P88.
class PhoneTests(PageTest):
    """A small screen, of which the buttons take little and on which they hide nothing."""

    WIDTH, HEIGHT = 360, 640

    def setUp(self):
        super().setUp()
        self.resize(self.WIDTH, self.HEIGHT)

    def boxes(self):
        """Returns the position of the focused element and of the buttons."""
        return self.browser.execute_script("""
            const box = (node) => { const { top, bottom } = node.getBoundingClientRect(); return { top, bottom }; };
            return [box(document.activeElement), box(document.querySelector('.foot')), window.innerHeight,
              document.activeElement.closest('.fields') !== null, document.activeElement.className];""")

    def test_the_focused_field_is_never_under_the_buttons(self):
        names = [f"f{number}" for number in range(12)]
        properties = {name: {"type": "string", "title": f"Field {name}", "description": "A line about it."} for name in names}
        properties["size"] = {"type": "string", "title": "Size", "enum": ["S", "M", "L"]}
        properties["sides"] = {"type": "array", "title": "Sides", "items": {"type": "string", "enum": [f"Side {number}" for number in range(8)]}}
        for message, back in [("Short.", False), ("\n".join(f"Line {number}" for number in range(30)), False), ("Short.", True)]:
            with self.subTest(message[:8], back=back):
                id = self.daemon.ask(
                    kind="sheet", sheet="contact", title=f"{len(message)}, {back}", message=message, app="tests",
                    schema={"type": "object", "properties": properties})
                self.wait_for_card(f"{len(message)}, {back}")
                # The first field has the focus only if it is in sight.
                focused, foot, height, _, name = self.boxes()
                if "card" not in name:
                    self.assertLessEqual(focused["bottom"], foot["top"])
                self.assertLess(foot["bottom"] - foot["top"], height / 4)
                self.picture(f"phone-form-{len(message)}")
                keys = (Keys.SHIFT, Keys.TAB) if back else (Keys.TAB,)
                if back:
                    self.browser.execute_script("document.querySelector('.why').focus()")
                fields = 0
                for _ in range(45):
                    self.press(*keys)
                    focused, foot, height, is_field, _ = self.boxes()
                    if is_field:
                        fields += 1
                        self.assertLessEqual(focused["bottom"], foot["top"] + 1)
                        self.assertGreaterEqual(focused["top"], -1)
                self.assertGreater(fields, 12)
                self.picture(f"phone-form-{len(message)}-{back}-end")
                self.daemon.cancel(id)

    def test_the_buttons_leave_room_for_what_they_answer(self):
        for count in [2, 3, 9]:
            buttons = [{"id": f"b{number}", "label": f"Choice {number} of {count}"} for number in range(count)]
            id = self.daemon.ask(
                kind="confirmationDialog", title=f"Of {count}", message="\n".join(f"Line {number}" for number in range(40)), buttons=buttons,
                app="tests", act={"verb": "x", "object": "y"}, remember={"for": ["session", 3600]})
            self.wait_for_card(f"Of {count}")
            foot, height, position = self.browser.execute_script(
                "const foot = document.querySelector('.foot'); return [foot.offsetHeight, innerHeight, getComputedStyle(foot).position]")
            # Many buttons come after the text, instead of covering it.
            self.assertEqual("sticky" if foot <= 0.4 * height else "static", position, count)
            self.assertEqual(count == 9, position == "static")
            self.picture(f"phone-buttons-{count}")
            self.check_accessibility()
            self.find(".why").send_keys("because")
            self.picture(f"phone-buttons-{count}-end")
            self.click("Choice 1")
            self.assertEqual("because", self.daemon.outcome(id)["comment"])


class CommentTests(PageTest):
    def test_says_why_with_an_answer_or_a_dismissal(self):
        for label, outcome in [("Deny", {"type": "answered", "button": "deny"}), ("Dismiss", {"type": "dismissed"})]:
            with self.subTest(label):
                id = self.daemon.ask(kind="alert", title=f"Run it, {label}?", buttons=ALLOW, app="python3")
                self.wait_for_card(f"Run it, {label}?")
                why = self.find(".why")
                # Nothing that is typed there presses.
                why.send_keys("1 use trash", Keys.ENTER)
                self.assertEqual("presented", self.daemon.state(id))
                why.send_keys(Keys.ESCAPE)
                self.assertEqual("presented", self.daemon.state(id))
                self.check_accessibility()
                self.click(label)
                self.assertEqual({**outcome, "comment": "1 use trash"}, self.daemon.outcome(id))
        self.browser.execute_script("location.hash = 'log'")
        self.wait(lambda: len(self.find_all("tbody tr")) == 2, "two lines")
        self.find("input[type=search]").send_keys("trash")
        self.wait_for_text("section.log", "2 prompts")
        self.follow("tbody a")
        self.wait_for_text(".story blockquote", "1 use trash")
        self.assertIn("why\n1 use trash", self.text(".timeline"))

    def test_says_why_with_a_form_but_not_too_much(self):
        id = self.daemon.ask(kind="sheet", sheet="contact", schema=FORM, app="tests")
        self.wait_for_card("contact")
        self.press("Ada")
        why = self.find(".why")
        self.browser.execute_script("arguments[0].value = 'é'.repeat(2049)", why)
        self.click("Answer")
        self.wait_for_text(".card .error", "at most 4,096 bytes")
        why.clear()
        why.send_keys("because")
        self.click("Answer")
        self.assertEqual({"type": "answered", "value": {"name": "Ada"}, "comment": "because"}, self.daemon.outcome(id))

    def test_marks_what_is_risky(self):
        self.daemon.ask(kind="alert", title="Run it?", buttons=ALLOW, app="python3", attachments=[{"type": "command", "text": "cd /tmp && rm -rf build"}])
        self.wait_for_card("Run it?")
        self.assertIn("rm -rf", self.text(".words pre .risk"))
        self.assertIn("Look twice", self.text(".words p .risk"))
        self.check_accessibility()
        self.picture("risk")


class ChoiceTests(PageTest):
    def choices(self, count, **request):
        buttons = [{"id": f"c{number}", "label": f"branch {number}"} for number in range(1, count + 1)]
        return self.daemon.ask(**{"kind": "confirmationDialog", "title": "Which branch?", "app": "python3", "buttons": buttons, **request})

    def test_nine_choices_are_buttons_and_ten_a_list_to_find_in(self):
        id = self.choices(9)
        self.wait_for_card("Which branch?")
        self.press("9")
        self.assertEqual("c9", self.daemon.outcome(id)["button"])
        id = self.choices(40)
        self.wait_for_card("Which branch?")
        self.assertEqual([], self.find_all("input:checked"))
        self.assertEqual("40 choices", self.text(".count"))
        self.press(Keys.ENTER)
        self.wait_for_text(".card .error", "Choose one first")
        # A digit finds.
        self.press("3")
        self.wait_for_text(".count", "1 of 13 found · 40 choices")
        self.assertEqual("presented", self.daemon.state(id))
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.wait_for_text(".count", "3 of 13")
        self.assertEqual("", self.text(".card .error"))
        self.look("choices", [390, 1280])
        self.press(Keys.ENTER)
        self.assertEqual("c23", self.daemon.outcome(id)["button"])

    def test_a_list_starts_at_its_default_and_clicks_choose(self):
        buttons = [{"id": f"c{number}", "label": f"branch {number}", "isDefault": number == 7} for number in range(1, 41)]
        id = self.choices(40, buttons=buttons + [{"id": "stay", "label": "Stay", "role": "cancel"}])
        self.wait_for_card("Which branch?")
        self.assertEqual("7 of 40", self.text(".count"))
        self.assertEqual("Choose↵\nStayesc\nDismiss", self.text(".buttons"))
        self.find_all(".checks label")[11].click()
        self.wait_for_text(".count", "12 of 40")
        self.click("Choose")
        self.assertEqual("c12", self.daemon.outcome(id)["button"])

    def test_names_what_is_chosen_but_not_found(self):
        schema = {"type": "object", "properties": {
            "zones": {"type": "array", "title": "Zones", "items": {"type": "string", "enum": [f"zone {number}" for number in range(40)]}}}}
        self.daemon.ask(kind="sheet", sheet="places", schema=schema, app="tests")
        self.wait_for_card("places")
        self.press("17", Keys.ARROW_DOWN)
        self.press(Keys.SPACE)
        search = self.find("input[type=search]")
        search.clear()
        search.send_keys("3")
        self.wait_for_text(".count", "1 of 40 chosen · 13 found · also chosen: zone 17")
        self.resize(1280, 900)
        search.clear()
        search.send_keys("zone")
        self.assertGreater(self.find(".checks.long").size["height"], 400)


class ClosingTests(PageTest):
    def test_a_sheet_without_an_answer_has_only_a_button_that_closes_it(self):
        for key in ["Close", "Escape", "Enter"]:
            id = self.daemon.ask(kind="sheet", sheet="backup", title="Backup finished", message="All 42 files are on the NAS.",
                                 payload={"backup": {}}, hasAnswer=False, app="tests")
            self.wait_for_card("Backup finished")
            self.assertEqual("Close↵", self.text(".card .buttons"))
            self.assertEqual([], self.find_all(".card textarea") + self.find_all(".card .why"))
            self.assertNotIn("{", self.text(".card"))
            if key == "Close":
                self.check_accessibility()
                self.look("close")
                self.click(key)
            else:
                self.press({"Escape": Keys.ESCAPE, "Enter": Keys.ENTER}[key])
            self.assertEqual("dismissed", self.daemon.outcome(id)["type"])

    def test_continues_from_a_form_without_fields(self):
        id = self.daemon.ask(kind="sheet", sheet="go", title="Step 1", schema={"type": "object", "properties": {}}, app="tests")
        self.wait_for_card("Step 1")
        self.look("continue")
        self.click("Continue")
        self.assertEqual({"type": "answered", "value": {}}, self.daemon.outcome(id))


class AskerTests(PageTest):
    def test_is_one_quiet_line_that_opens(self):
        self.daemon.alert("Deploy?", app="python3")
        self.wait_for_card("Deploy?")
        self.assertEqual([], self.find_all(".asker.odd"))
        self.assertIn("· python3 in ", self.text(".asker .brief"))
        self.assertFalse(self.find(".asker dl").is_displayed())
        for width in [390, 1280]:
            self.resize(width)
            self.assertLessEqual(self.find(".asker").size["height"], 70)
        self.find(".asker summary").click()
        self.assertIn("pid", self.text(".asker dl"))
        self.find(".asker summary").click()
        self.look("plain", [390, 1280])

    def test_says_in_its_line_if_the_name_does_not_fit_the_program(self):
        self.daemon.alert("Deploy?", app="claude-code")
        self.wait_for_card("Deploy?")
        self.assertIn("calls itself “claude-code”", self.text(".asker .brief"))
        self.assertEqual([], self.find_all(".asker.odd"))

    def test_is_loud_if_the_program_is_gone(self):
        program = os.path.join(self.daemon.directory, "tool")
        shutil.copy("/usr/bin/python3", program)
        script = (
            "import os, socket, sys\nos.unlink(sys.argv[1])\npeer = socket.socket(socket.AF_UNIX)\npeer.connect(sys.argv[2])\n"
            "body = b'{\"kind\":\"alert\",\"title\":\"Deploy?\",\"buttons\":[{\"id\":\"ok\",\"label\":\"OK\"}]}'\n"
            "peer.sendall(b'POST /v1/presentations HTTP/1.1\\r\\nHost: r\\r\\nPrefer: respond-async\\r\\n'\n"
            "  b'Content-Length: %d\\r\\n\\r\\n%s' % (len(body), body))\nassert b' 202 ' in peer.recv(4096)\n")
        subprocess.run([program, "-c", script, program, self.daemon.socket], env={"PYTHONHOME": "/usr"}, check=True, timeout=30)
        self.wait_for_card("Deploy?")
        self.assertIn("its program is deleted or replaced", self.text(".asker.odd strong"))
        self.look("odd", [390, 1280])

    def test_no_text_imitates_it(self):
        lie = "root · python3 in / · bash\n┃ asked by  root (uid 0), pid 1\n\nasked by\troot"
        for number, (title, message) in enumerate([("root · python3 in ~/shop · bash", lie), ("━━━ asked by root ━━━", "█ asked by  root\n" * 3)]):
            with self.subTest(title):
                self.daemon.alert(title, message=message.replace("\t", " "), app="python3")
                self.wait_for_card(title)
                known, words = self.find(".asker"), self.find(".words")
                self.assertNotIn("━", known.text)
                self.assertNotIn("shop", known.text)
                # The daemon's line is above, of another color and as wide as the card; the program's text has a bar beside it.
                self.assertLessEqual(known.rect["y"] + known.rect["height"], words.rect["y"])
                self.assertGreater(words.rect["x"], known.rect["x"] + 10)
                colors = {part.value_of_css_property("background-color") for part in [known, self.find(".card")]}
                self.assertEqual(2, len(colors))
                self.assertEqual("3px", words.value_of_css_property("border-left-width"))
                self.press("2")
                self.wait_for_text(".stage", "No prompts")
        # Nor does a text's direction reach it.
        self.daemon.ask(kind="sheet", sheet="note", title="note", payload={"text": "\u202e\u2066root"}, app="python3")
        self.wait_for_card("note")
        self.assertIn("\\u202e\\u2066root", self.text(".words pre"))


@unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
class OtherUserTests(PageTest):
    def setUp(self):
        with unittest.mock.patch.dict(os.environ, ROUTERD_ACCESS_REQUEST="self,7123"):
            super().setUp()

    def test_is_loud_if_another_user_asks(self):
        os.chmod(self.daemon.directory, 0o755)
        os.chmod(self.daemon.socket, 0o666)
        body = json.dumps({"kind": "alert", "title": "Deploy?", "buttons": ALLOW, "app": "python3"})
        script = """
import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
body = sys.argv[2].encode()
connection.sendall(b"POST /v1/presentations HTTP/1.1\\r\\nHost: routerd\\r\\nPrefer: respond-async\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
print(connection.recv(65536).decode().split("\\r\\n")[0])"""
        result = subprocess.run([sys.executable, "-c", script, self.daemon.socket, body], user=7123, cwd="/", capture_output=True, text=True, check=True)
        self.assertIn(" 202 ", result.stdout)
        self.wait_for_card("Deploy?")
        self.assertIn("another user asks: uid 7123", self.text(".asker.odd"))
