"""What schemathesis cannot know of the API, since no schema says it."""

import re

import schemathesis

# Any JSON may stand here, null among it.
FREE = {"payload", "value"}


def has_null(value):
    """A member that is null counts as absent: see info.description of the document."""
    if isinstance(value, dict):
        return any(member is None or has_null(member) for name, member in value.items() if name not in FREE)
    if isinstance(value, list):
        return any(has_null(element) for element in value)
    return False


def is_form(schema):
    """A form says of its fields what must fit together: which are required, the least and the most, the default."""
    return isinstance(schema, dict) and bool(schema.get("required") or schema.get("properties"))


def has_ids_twice(buttons):
    ids = [button.get("id") for button in buttons if isinstance(button, dict)] if isinstance(buttons, list) else []
    return any(ids.count(id) > 1 for id in ids)


def remembers_unknown_buttons(body):
    """A request may have answers remembered for its own buttons only; an alert without buttons gets one, ok."""
    remember, buttons = body.get("remember"), body.get("buttons")
    named = remember.get("buttons") if isinstance(remember, dict) else None
    known = [button.get("id") for button in buttons if isinstance(button, dict)] if isinstance(buttons, list) else []
    return isinstance(named, list) and any(id not in (known or ["ok"]) for id in named)


def is_strange(search):
    """Marks must be closed, and words have letters or digits."""
    # Python takes four control characters for white space, and Unicode does not.
    words = re.split(r"[^\S\x1c-\x1f]+", search) if isinstance(search, str) else []
    return any("*" in word or '"' in word or (word and not any(map(str.isalnum, word))) for word in words)


@schemathesis.hook
def filter_case(context, case):
    body = case.body if isinstance(case.body, dict) else {}
    if has_null(body):
        return False
    query = case.query if isinstance(case.query, dict) else {}
    positive = case.meta is not None and case.meta.generation.mode.is_positive
    is_impossible = (
        is_strange(query.get("search")) or is_form(body.get("schema")) or has_ids_twice(body.get("buttons"))
        or remembers_unknown_buttons(body)
    )
    return not (positive and is_impossible)
