"""Checks of calls against the daemon's OpenAPI document, generated from it."""

import json
import re
import urllib.parse

import jsonschema
import router_client


class OpenAPI:
    """The document, and the operations that were called."""

    def __init__(self, document):
        self.document = document
        self.used = set()
        self.validators = {}

    def operation(self, method, target):
        """Returns the operation of a call, after checking its path, method and query."""
        path, _, query = target.partition("?")
        for template, item in self.document["paths"].items():
            if re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", template), path):
                operation = item.get(method.lower())
                if operation is None:
                    raise AssertionError(f"{template} has no {method}")
                self.used.add(operation["operationId"])
                known = [self.resolved(entry)["name"] for entry in operation.get("parameters", [])]
                unknown = set(urllib.parse.parse_qs(query)) - set(known)
                if unknown:
                    raise AssertionError(f"{template} has no parameter {unknown}")
                return operation
        raise AssertionError(f"no path of the document is {path}")

    def resolved(self, part):
        while "$ref" in part:
            found = self.document
            for name in part["$ref"][2:].split("/"):
                found = found[name]
            part = found
        return part

    def validator(self, schema):
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            whole = {"components": self.document["components"], "allOf": [schema]}
            self.validators[key] = jsonschema.Draft202012Validator(
                whole, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
        return self.validators[key]

    def check(self, value, schema, what):
        error = jsonschema.exceptions.best_match(self.validator(schema).iter_errors(value))
        if error:
            raise AssertionError(f"{what}: {error.message} at {error.json_path}")

    def is_valid(self, method, target, body):
        """Returns whether a call's body matches the schema."""
        content = self.operation(method, target).get("requestBody", {}).get("content", {})
        return body is None or self.validator(content["application/json"]["schema"]).is_valid(body)

    def check_reply(self, method, target, status, body):
        operation = self.operation(method, target)
        reply = self.resolved(operation["responses"].get(str(status)) or {})
        kind = "application/json" if status < 400 else "application/problem+json"
        if body is None:
            if kind in reply.get("content", {}) or not reply:
                raise AssertionError(f"{method} {target} has no body for {status}")
        else:
            self.check(body, reply["content"][kind]["schema"], f"the reply of {method} {target}, {status}")

    def check_events(self, events):
        """Checks the complete events in the bytes of a presenter's stream."""
        stream = self.operation("GET", "/v1/surfaces/main/stream")["responses"]["200"]["content"]["text/event-stream"]
        for name, data in re.findall(r"^event: (.*)\ndata: (.*)\n\n", events.decode(), re.MULTILINE):
            self.check(json.loads(data), stream["x-events"][name], f"the event {name}")

    def watch(self):
        """Checks each call of the client in this process. Returns a function that ends that."""
        exchange, async_exchange, handle = router_client._exchange, router_client._async_exchange, router_client._Stream.handle

        def check(method, path, body, received):
            head, _, content = received.partition(b"\r\n\r\n")
            if head.startswith(b"HTTP/") and not path.startswith("/openapi.json"):
                status = int(head[9:12])
                self.check_reply(method, path, status, json.loads(content) if content else None)
                if status < 400 and not self.is_valid(method, path, body):
                    raise AssertionError(f"{method} {path} took a body that its schema refuses: {body}")
            return received

        def checked_exchange(connection, method, path, body, headers):
            return check(method, path, body, exchange(connection, method, path, body, headers))

        async def checked_async_exchange(reader, writer, method, path, body, headers):
            return check(method, path, body, await async_exchange(reader, writer, method, path, body, headers))

        def checked_handle(stream):
            self.check_events(stream.received)
            handle(stream)

        def end():
            router_client._exchange, router_client._async_exchange = exchange, async_exchange
            router_client._Stream.handle = handle

        router_client._exchange, router_client._async_exchange = checked_exchange, checked_async_exchange
        router_client._Stream.handle = checked_handle
        return end
