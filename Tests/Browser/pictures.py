"""Screenshots of the page at three widths, each with the light and the dark page side by side. Run by scripts/captures."""

import io
import os
import pathlib
import signal
import subprocess

from PIL import Image

from browser import PageTest

ORDER = """{"type": "object", "description": "Where should it go?", "required": ["name", "age"], "properties": {
  "name": {"type": "string", "title": "Name", "minLength": 2},
  "age": {"type": "integer", "title": "Age", "minimum": 18},
  "size": {"type": "string", "title": "Size", "enum": ["Small", "Medium", "Large"]},
  "gift": {"type": "boolean", "title": "As a gift"}}}"""

PROGRAMS = {
    "deploy.sh": "alert 'Deploy 1.4.2 to production?' --message '42 commits since the last release.' --destructive deploy=Deploy --cancel 'Not now'",
    "snapshots.sh": "confirm 'Delete 14 old snapshots?' --yes Delete --no 'Keep them' --priority high",
    "release.sh": "choose 'Which branch?' main develop release-1.4",
    "update.sh": "confirm 'Install the update now?' --message 'The machine restarts.'",
    "lunch.sh": "confirm 'Is anybody there?' --timeout 1s",
    "push.sh": "confirm 'Push to origin?' --yes Push --act-verb push --act-object 'origin main' --act-directory /home/ada/shop "
               "--remember session,1h,always",
    "order.sh": f"sheet order --title 'Your order' --schema '{ORDER}'",
    "migrate.sh": """alert 'Apply the migration?' --markdown --message 'Changes **two** columns of `orders`:
- `total` becomes `cents`, a whole number
- `currency` is new

It locks the table for *about a minute*.' --command 'psql shop <orders.sql' --diff orders.diff \
--destructive apply=Apply --cancel 'Not now' --timeout 5m""",
}

DIFF = """--- a/orders.sql
+++ b/orders.sql
@@ -1,4 +1,5 @@
 CREATE TABLE orders (
   id INTEGER PRIMARY KEY,
-  total REAL
+  cents INTEGER NOT NULL,
+  currency TEXT NOT NULL DEFAULT 'EUR'
 );
"""


class Pictures(PageTest):
    # The session's end.
    expected_errors = ("401 (Unauthorized)", "net::ERR_")

    def run_program(self, name):
        pathlib.Path("orders.diff").write_text(DIFF)
        pathlib.Path(name).write_text(f"#!/bin/sh\nrouterctl {PROGRAMS[name]}\n")
        os.chmod(name, 0o755)
        # From a shell that reads its commands, as a person's does: answers are remembered for its session.
        program = subprocess.Popen(["/bin/bash"], env={**os.environ, "ROUTERD_SOCKET": self.daemon.socket}, start_new_session=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        program.stdin.write(f"./{name} </dev/null\n".encode())
        program.stdin.close()
        self.addCleanup(self.stop, program)
        return program

    def stop(self, program):
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGTERM)
            program.wait()

    def answer(self, name, title, *keys):
        program = self.run_program(name)
        self.wait_for_card(title)
        self.press(*keys)
        program.wait()

    def test_pictures(self):
        self.browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        self.answer("release.sh", "Which branch?", "3")
        self.answer("snapshots.sh", "Delete 14", "2")
        self.run_program("lunch.sh").wait()
        self.answer("deploy.sh", "Deploy 1.4.2", "1")
        program = self.run_program("update.sh")
        self.wait_for_card("Install the update")
        self.click("Dismiss")
        program.wait()
        program = self.run_program("update.sh")
        self.wait_for_card("Install the update")
        self.stop(program)

        program = self.run_program("push.sh")
        self.wait_for_card("Push to origin?")
        self.find(".remember select[name=for]").send_keys("a")
        self.wait(lambda: self.find(".remember select[name=match]").is_displayed(), "what is remembered")
        self.look("remember")
        self.click("Push")
        self.wait_for_text(".notes", "remembered")
        program.wait()

        self.run_program("order.sh")
        self.wait_for_card("Your order")
        name, age, size, gift = self.find_all(".field input, .field select")
        name.send_keys("Ada Lovelace")
        age.send_keys("17")
        size.send_keys("Large")
        self.wait_for_text(".problem:not(:empty)", "at least 18")
        self.look("form")
        age.clear()
        age.send_keys("36", "\n")
        self.wait_for_text(".notes", "Your order")

        program = self.run_program("migrate.sh")
        self.wait_for_card("Apply the migration?")
        self.run_program("snapshots.sh")
        self.run_program("deploy.sh")
        self.wait(lambda: len(self.find_all(".queue li")) == 2, "two queued")
        self.look("prompt")
        self.go("log")
        self.wait(lambda: len(self.find_all("tbody tr")) == 11, "the log")
        self.look("log")
        self.find("tbody tr:nth-child(4) a").click()
        self.wait_for_text(".timeline", "answered")
        self.look("story", [820])
        self.go("charts")
        self.wait(lambda: len(self.find_all("svg rect")) > 0, "the charts")
        self.look("charts", [820])
        self.browser.delete_all_cookies()
        self.browser.refresh()
        self.wait_for_text("main h1", "Not logged in")
        self.look("not-logged-in")

    def go(self, view):
        self.browser.execute_script("location.hash = arguments[0]", view)

    def look(self, name, widths=(390, 820, 1400)):
        self.browser.execute_script("document.activeElement.blur()")
        for width in widths:
            self.resize(width, 400)
            # Parts of the page grow with the window.
            height = 0
            while height < (height := self.browser.execute_script("return document.documentElement.scrollHeight")):
                self.resize(width, height)
            joined = Image.new("RGB", (2 * width, height))
            for is_dark in [False, True]:
                self.dark(is_dark)
                image = Image.open(io.BytesIO(self.browser.get_screenshot_as_png()))
                joined.paste(image, (width * is_dark, 0))
            path = pathlib.Path(os.environ["ROUTER_PICTURES"], f"page-{name}-{width}.png")
            joined.save(path)
            subprocess.run(["pngquant", "--nofs", "--speed=1", "--strip", "--force", "--output", path, "80", path], check=True)
        self.dark(False)
