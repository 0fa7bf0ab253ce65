"""Compares the events that an agent's own program sends with those in Tests/routerctlTests/Payloads.

ROUTER_CAPTURE=1 replaces the stored events.
"""

import json
import os
import pathlib
import shlex

FOLDER = pathlib.Path(__file__).parent.parent / "routerctlTests" / "Payloads"


def recording(settings, file):
    """Makes every hook in a settings file append its event to `file`."""
    text = json.loads(settings.read_text())
    for groups in text["hooks"].values():
        for group in groups:
            for handler in group["hooks"]:
                handler["command"] = f"tee -a {shlex.quote(str(file))} | {handler['command']}"
    settings.write_text(json.dumps(text, indent=2) + "\n")


def events(file):
    """Splits the recorded text, in which events follow each other."""
    decoder, text, found = json.JSONDecoder(), file.read_text().strip(), []
    while text:
        event, end = decoder.raw_decode(text)
        found.append(event)
        text = text[end:].strip()
    return found


def shape(value):
    """The names of the members, at any depth, with the types of their values."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in sorted(value.items())}
    return type(value).__name__


def check(test, host, version, captured, replacements):
    """Checks that each stored event has the members of the captured event of the same name."""
    folder = FOLDER / host
    for event in captured:
        text = json.dumps(event)
        for old, new in replacements.items():
            text = text.replace(old, new)
        event = json.loads(text)
        file = folder / f"{event['hook_event_name']}.json"
        if os.environ.get("ROUTER_CAPTURE"):
            folder.mkdir(exist_ok=True)
            stored = json.loads(file.read_text()) if file.exists() else {}
            stored = {"payload": event, "event": event["hook_event_name"], **{k: v for k, v in stored.items() if k not in ("payload", "event")}}
            file.write_text(json.dumps(stored, indent=2) + "\n")
            source = folder / "SOURCE.md"
            rest = source.read_text().partition("\n")[2] if source.exists() else ""
            source.write_text(f"Captured from {version} by scripts/agents-check.\n{rest}")
        test.assertEqual(shape(json.loads(file.read_text())["payload"]), shape(event), f"{file} is not what {version} sends")
    return {event["hook_event_name"] for event in captured}
