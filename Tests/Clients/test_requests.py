"""Random requests and answers: the daemon accepts exactly what the schemas of its OpenAPI document allow."""

import copy
import os
import random
import re
import sys
import unittest

import jsonschema
from clients import DaemonTest
from openapi import OpenAPI
from router_client import Client, RouterError

COUNT = int(os.environ.get("ROUTER_REPETITIONS", 1)) * 100
# Rules that a JSON Schema cannot say, as the daemon words them.
BEYOND = re.compile("cannot detach a flow|must name one of the properties|/items: is missing")


class Chance(random.Random):
    """Random parts of requests and answers."""

    def text(self):
        return self.choice(["", "a", "Zoë", "a b", "2", "x" * 300, "line\nline", "\t", "\u202e", "👩‍🚀", "-1.5", "true"])

    def label(self):
        return "".join(self.choices("abcdefgh ", k=8)) + "."

    def junk(self):
        return self.choice([0, -1, 1.5, True, "", "junk", "a\nb", [], ["x"], {}, {"x": 1}, 10**12, "\x00"])

    def some(self, members):
        """Returns some of the members, each made by its function."""
        return {name: make() for name, make in members.items() if self.random() < 0.3}

    def property(self):
        kind = self.choice(["string", "integer", "number", "boolean", "enum", "array"])
        if kind == "enum":
            return {"type": "string", "enum": ["red", "green"]}
        if kind == "array":
            return {"type": "array", "items": {"type": "string", "enum": ["red", "green", "blue"]},
                    **self.some({"minItems": lambda: 1, "maxItems": lambda: 2})}
        limits = {
            "string": {"minLength": lambda: 1, "maxLength": lambda: self.choice([2, 9]), "pattern": lambda: "^[a-z]*$"},
            "integer": {"minimum": lambda: 0, "maximum": lambda: 9},
            "number": {"minimum": lambda: -1.5, "maximum": lambda: 2}}
        return {"type": kind, **self.some({"title": self.label, **limits.get(kind, {})})}

    def form(self):
        properties = {f"f{number}": self.property() for number in range(self.randint(0, 4))}
        required = [name for name in properties if self.random() < 0.5]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def request(self):
        kind = self.choice(["alert", "confirmationDialog", "sheet", "fullScreenCover"])
        request = {"kind": kind, "title": self.label(), **self.some({
            "message": self.label, "messageFormat": lambda: self.choice(["plain", "markdown"]), "app": lambda: "tests.app",
            "attachments": lambda: [{"type": self.choice(["command", "diff", "text"]), "text": self.text()}],
            "priority": lambda: self.choice(["low", "normal", "high"]), "severity": lambda: self.choice(["standard", "critical"]),
            "timeout": lambda: self.choice([0.5, 60, 315360000]), "conflictPolicy": lambda: "enqueue",
            "metadata": lambda: {self.label(): self.label()}, "noPresenter": lambda: "wait"})}
        if kind in ("alert", "confirmationDialog"):
            roles = [{}, {"role": "cancel"}, {"role": "destructive"}]
            buttons = [{"id": f"b{number}", "label": self.label() + str(number), **roles[number]} for number in range(3)]
            request["buttons"] = buttons[:self.randint(1, 3)]
        else:
            request.update(self.some({"sheet": lambda: "color", "payload": self.junk, "schema": self.form}))
        return request

    def broken(self, value):
        """Returns a copy with one part replaced, removed or added."""
        value = copy.deepcopy(value)
        place = value
        while True:
            keys = list(place if isinstance(place, dict) else range(len(place)))
            if not keys:
                break
            key = self.choice(keys)
            if not isinstance(place[key], (dict, list)) or self.random() < 0.3:
                break
            place = place[key]
        how = self.random()
        if isinstance(place, dict) and how < 0.2:
            place[self.choice(["unknown", "title", "schema", "hasAnswer", "flow"])] = self.junk()
        elif keys and how < 0.4:
            del place[key]
        elif keys:
            place[key] = self.junk()
        return value


class RandomTests(DaemonTest):
    def setUp(self):
        super().setUp()
        self.client = Client(self.daemon.socket)
        self.api = OpenAPI(self.client.call("GET", "/openapi.json"))
        self.seed = int(os.environ.get("ROUTER_SEED") or random.randrange(2**32))
        self.chance = Chance(self.seed)
        print(f"ROUTER_SEED={self.seed}", file=sys.stderr)

    def test_accepts_the_requests_that_the_schema_allows(self):
        verdicts = {True: 0, False: 0}
        for _ in range(COUNT):
            request = self.chance.request()
            if self.chance.random() < 0.6:
                request = self.chance.broken(request)
            allowed = self.api.is_valid("POST", "/v1/presentations", request)
            verdicts[allowed] += 1
            try:
                reply = self.client.call("POST", "/v1/presentations", request, Prefer="respond-async")
            except RouterError as error:
                self.assertIn(error.status, (400, 422))
                if allowed and not BEYOND.search(error.detail):
                    self.fail(f"seed {self.seed}: the schema allows {request}, but: {error.detail}")
            else:
                self.assertTrue(allowed, f"seed {self.seed}: the schema refuses {request}")
                self.api.check_reply("POST", "/v1/presentations", 202, reply)
                self.client.call("DELETE", f"/v1/presentations/{reply['id']}")
        self.assertGreater(min(verdicts.values()), COUNT // 5)

    def test_accepts_the_answers_that_a_forms_schema_allows(self):
        verdicts = {True: 0, False: 0}
        prompts = self.client.present("main", name="tests")
        self.addCleanup(prompts.close)
        for _ in range(COUNT):
            form = self.chance.form()
            self.daemon.ask(kind="sheet", title="Who?", schema=form)
            prompt = next(prompts)
            values = {"string": ["", "a", "abc", "Zoë"], "integer": [0, 7, 10, 2.0], "number": [-1.5, 0, 2.5], "boolean": [True],
                      "array": [[], ["red"], ["red", "blue"], ["red", "red"], ["red", "green", "blue"]]}
            answer = {name: self.chance.choice(values[field["type"]] if "enum" not in field else ["red", "green", "blue"])
                      for name, field in form["properties"].items() if self.chance.random() < 0.9}
            if self.chance.random() < 0.3:
                answer = self.chance.broken(answer)
            # An answer has each choice once, also without uniqueItems.
            strict = {**form, "properties": {
                name: {**field, "uniqueItems": True} if field["type"] == "array" else field
                for name, field in form["properties"].items()}}
            allowed = jsonschema.Draft202012Validator(strict).is_valid(answer)
            verdicts[allowed] += 1
            try:
                accepted = prompt.answer(value=answer)
            except RouterError as error:
                self.assertEqual(error.status, 422)
                accepted = False
                prompt.dismiss()
            self.assertEqual(accepted, allowed, f"seed {self.seed}: {answer} for {form}")
            prompt.wait()
        self.assertGreater(min(verdicts.values()), COUNT // 8)


if __name__ == "__main__":
    unittest.main()
