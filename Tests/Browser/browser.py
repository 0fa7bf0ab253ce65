"""Headless Chromium, and checks for all tests: no error in its console, no request to another host."""

import json
import os
import pathlib
import unittest

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from router import Daemon

PATIENCE = 30
AXE = pathlib.Path(os.environ["AXE"]).read_text()


def chromium():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1100,900",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    # The rules of accessibility take long for ten thousand choices.
    browser.set_script_timeout(4 * PATIENCE)
    return browser


class PageTest(unittest.TestCase):
    """A daemon for each test, a browser for each class."""

    # Console messages to ignore: a browser reports each refused or failed request as an error.
    expected_errors = ()

    @classmethod
    def setUpClass(cls):
        cls.browser = chromium()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.browser.get(self.daemon.link())
        self.find("form button").click()
        self.wait_for_text("#connection", "connected")

    def tearDown(self):
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        while len(self.browser.window_handles) > 1:
            self.browser.switch_to.window(self.browser.window_handles[-1])
            self.check_logs()
            self.browser.close()
        self.browser.switch_to.window(self.browser.window_handles[0])
        self.check_logs()
        # Disconnects from the daemon before it ends.
        self.browser.get("about:blank")

    def check_logs(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual([], [text for text in errors if not any(word in text for word in self.expected_errors)])
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith((self.daemon.origin + "/", "about:")), url)

    # What the person sees

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def follow(self, selector):
        """Clicks a link, again if the page draws it again meanwhile."""
        def is_clicked():
            try:
                self.find(selector).click()
            except StaleElementReferenceException:
                return False
            return True
        self.wait(is_clicked, f"a click on {selector}")

    def find_all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """Returns the text of an element; empty if there is no such element, or no longer."""
        return self.browser.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def wait(self, condition, what):
        return WebDriverWait(self.browser, PATIENCE, poll_frequency=0.02).until(lambda _: condition(), what)

    def wait_for_text(self, selector, text):
        self.wait(lambda: text in self.text(selector), f"{text!r} in {selector}, which has {self.text(selector)!r}")

    def wait_for_card(self, title):
        """Waits until a presentation is shown and can be answered."""
        self.wait_for_text(".card h1", title)
        self.wait(lambda: not self.find_all(".card.arming"), "the buttons")

    def press(self, *keys):
        """Types into the focused element."""
        self.browser.switch_to.active_element.send_keys(*keys)

    def click(self, label):
        self.browser.execute_script(
            "[...document.querySelectorAll('button')].find((button) => button.innerText.startsWith(arguments[0])).click()", label)

    def check_accessibility(self):
        """Checks all of axe-core's rules."""
        self.browser.execute_script(AXE + "\nwindow.axe = axe;")
        result = self.browser.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done, (error) => done({error: String(error)}));")
        self.assertNotIn("error", result, result.get("error"))
        self.assertEqual(
            [], [(rule["id"], [node["html"] + " " + node.get("failureSummary", "") for node in rule["nodes"]]) for rule in result["violations"]])

    def resize(self, width, height=900):
        """The page's own width: a window has a least one."""
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def touch(self, is_touch):
        """A screen without keyboard and mouse."""
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_touch})

    def dark(self, is_dark):
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]})

    def look(self, name, widths=(390, 820, 1400)):
        """Checks the page at each width, light and dark."""
        for width in widths:
            self.resize(width)
            for is_dark in [False, True]:
                self.dark(is_dark)
                self.check_accessibility()
                # Nothing is wider than the window.
                self.assertLessEqual(*self.browser.execute_script(
                    "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"), (name, width))
                self.picture(f"{name}-{width}-{'dark' if is_dark else 'light'}")
        self.dark(False)

    def picture(self, name):
        """Saves a screenshot if ROUTER_PICTURES is set."""
        if "ROUTER_PICTURES" in os.environ:
            self.browser.save_screenshot(os.path.join(os.environ["ROUTER_PICTURES"], name + ".png"))
