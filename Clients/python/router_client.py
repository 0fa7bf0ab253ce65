"""Ask a person through Router's daemon, and show its prompts: one file, no dependencies.

    from router_client import Client

    if Client().confirm("Deploy 1.4.2?", yes="Deploy", destructive=True):
        deploy()

`Client` blocks; `AsyncClient` asks with asyncio. A prompt ends with its caller: it is withdrawn when the call is interrupted or
canceled, or the process ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import select
import socket
import stat
import sys
import termios
import time
import unicodedata
import uuid
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Optional, TypeVar, Union
from urllib.parse import quote, urlencode

__all__ = [
    "AsyncClient", "Client", "Outcome", "Prompt", "RouterError", "Unreachable", "Withdrawn", "default_socket_path", "visible"]

Json = dict[str, Any]
Result = TypeVar("Result")


class RouterError(Exception):
    """An error of the daemon: `status`, `detail`, `code` and `field` of its problem document (RFC 9457)."""

    def __init__(self, status: int, problem: Json):
        self.status, self.code, self.field = status, problem.get("code"), problem.get("field")
        self.detail: str = problem.get("detail") or problem.get("title") or f"HTTP status {status}"
        super().__init__(visible(self.detail))


class Withdrawn(Exception):
    """The prompt must disappear: it was answered elsewhere, expired, is covered, or was withdrawn."""


class Unreachable(RouterError):
    """No daemon listens, or the connection was lost."""

    def __init__(self, detail: str):
        super().__init__(0, {"detail": detail})


@dataclass(frozen=True)
class Outcome:
    """How a prompt ended. True if a person agreed: answered, and not with the cancel button.

    `kind` is answered, dismissed, cancelled, expired or failed, and `reason` says why for the last three. `button` is the id of the
    pressed button, `value` the answer of a form or the choice of `choose`, and `comment` why, in the person's words.
    """

    kind: str
    button: Optional[str]
    value: Any
    comment: Optional[str]
    reason: Optional[str]
    presentation: Json = field(repr=False)

    @classmethod
    def of(cls, presentation: Json, values: Optional[Mapping[str, Any]] = None) -> Outcome:
        outcome = presentation["outcome"]
        button = outcome.get("button")
        value = outcome.get("value") if button is None else (values or {}).get(button)
        reason = outcome.get("reason") or outcome.get("phase") or outcome.get("detail")
        return cls(outcome["type"], button, value, outcome.get("comment"), reason, presentation)

    def __bool__(self) -> bool:
        buttons = self.presentation["request"].get("buttons", [])
        refusals = [button["id"] for button in buttons if button.get("role") == "cancel"]
        return self.kind == "answered" and self.button not in refusals

    def __str__(self) -> str:
        """In words, such as `the user answered "No": not today`."""
        labels = {button["id"]: button.get("label", button["id"]) for button in self.presentation["request"].get("buttons", [])}
        words = {
            "answered": f'the user answered "{labels[self.button]}"' if self.button in labels else "the user answered",
            "dismissed": "the user closed the prompt", "expired": "nobody answered in time",
            "cancelled": f"the prompt was withdrawn ({self.reason})", "failed": f"the prompt was not shown ({self.reason})"}
        return words[self.kind] + (f": {self.comment}" if self.comment else "")


def visible(text: Union[str, bytes], lines: bool = False) -> str:
    """Returns a text with each character escaped that is invisible or changes how others look; `lines` keeps line feeds."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")

    def escaped(character: str) -> str:
        number = ord(character)
        if character == "\n" and lines or character == "\u200d":
            return character
        if 0xDC80 <= number <= 0xDCFF:
            return f"\\x{number - 0xDC00:02X}"  # A byte that is not UTF-8, as in os.fsdecode.
        hidden = unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
        return f"\\u{{{number:X}}}" if hidden else character

    return text if text.isascii() and text.isprintable() else "".join(map(escaped, text))


def default_socket_path() -> str:
    """Returns the path of `routerctl socket`: $ROUTERD_SOCKET, else the first existing socket of the user or the system."""
    if os.environ.get("ROUTERD_SOCKET"):
        return os.environ["ROUTERD_SOCKET"]
    uid = os.geteuid()

    def directory(name: str) -> Optional[str]:
        path = os.environ.get(name, "")
        return path if path.startswith("/") else None

    def is_own(path: str, is_private: bool = False) -> bool:
        """Whether a directory is the user's; if private, also no link, and writable only for the user, or missing."""
        try:
            status = os.stat(path, follow_symlinks=not is_private)
        except OSError as error:
            return is_private and isinstance(error, FileNotFoundError)
        return stat.S_ISDIR(status.st_mode) and status.st_uid == uid and not (is_private and status.st_mode & 0o022)

    session = directory("XDG_RUNTIME_DIR")
    session = session if session and is_own(session) else None
    is_user = session is not None or (uid != 0 and os.environ.get("RUNTIME_DIRECTORY") != "/run/routerd")
    runtime = session or (f"/run/user/{uid}" if is_user and is_own(f"/run/user/{uid}") else None)
    home = directory("HOME") if is_user else None
    state = directory("XDG_STATE_HOME") or (home and home + "/.local/state")
    beside_log = f"{state}/routerd" if is_user and state and is_own(f"{state}/routerd", True) else None
    paths = [f"{path}/routerd.sock" for path in (runtime and runtime + "/routerd", beside_log) if path]
    paths += [] if session else ["/run/routerd/routerd.sock"]
    return next(filter(os.path.exists, paths), paths[0])


def _message(method: str, path: str, body: Optional[Json], headers: Mapping[str, str]) -> bytes:
    # HTTP/1.0, so that a body ends with its connection, without chunks.
    content = b"" if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    head = [f"{method} {path} HTTP/1.0", "Host: routerd", f"Content-Length: {len(content)}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    if not all(line.isascii() and line.isprintable() for line in head):
        raise ValueError("a path or header has a character that HTTP does not allow")
    return "\r\n".join([*head, "", ""]).encode() + content


def _status(head: bytes) -> int:
    match = re.match(rb"HTTP/1\.\d (\d{3})", head)
    if not match:
        raise Unreachable("what listens on the socket is not routerd")
    return int(match[1])


def _reply(received: bytes) -> Any:
    """Returns the JSON of a response. Raises `RouterError` for an error, and `Unreachable` if the response is cut off."""
    head, separator, content = received.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
    if not separator or (length and len(content) < int(length[1])):
        raise Unreachable("the connection to routerd was lost")
    status = _status(head)
    try:
        reply = json.loads(content) if content else None
    except ValueError:
        raise Unreachable(f"the response is not JSON (status {status})") from None
    if status >= 400:
        raise RouterError(status, reply or {})
    return reply


class _Retries:
    """How long to wait for a lost daemon: delays double from 50 ms to 2 s, with jitter, until the patience is over."""

    def __init__(self, patience: float):
        self.patience, self.delay = patience, 0.05
        self.connected = self.failed = self.deadline = 0.0

    def start(self) -> None:
        self.connected = time.monotonic()

    def after(self, error: RouterError) -> float:
        """Returns the next delay, or raises the error if it is final."""
        now = time.monotonic()
        if not self.connected or not (isinstance(error, Unreachable) or error.code == "shuttingDown"):
            raise error
        if not self.failed or self.failed < self.connected < now - 1:  # It was there in between: this is another restart.
            self.delay, self.deadline = 0.05, now + self.patience
        self.failed = now
        if now >= self.deadline:
            raise error
        self.delay, delay = min(2 * self.delay, 2), self.delay * random.uniform(0.5, 1)
        return delay


class _Asking(Generic[Result]):
    """What both clients ask. Other members of a request, such as `timeout`, `surface` or `priority`, are keyword arguments."""

    def __init__(self, socket_path: Optional[str] = None, app: Optional[str] = None, patience: float = 30):
        """`app` is the program's name for the person (default: the calling script). A call waits `patience` seconds for a
        daemon that restarts."""
        self.socket_path = socket_path or default_socket_path()
        self.app, self.patience = app, patience

    def ask(self, request: Json, *, key: Optional[str] = None, values: Optional[Mapping[str, Any]] = None) -> Result:
        """Asks with a request of the API, and waits for its one outcome. `key` is the Idempotency-Key (default: a random one),
        and `values` has the `Outcome.value` of each button."""
        raise NotImplementedError

    def confirm(self, title: str, message: Optional[str] = None, *, yes: str = "Yes", no: str = "No", destructive: bool = False,
                default: Optional[str] = None, **request: Any) -> Result:
        """Asks yes or no. `default` is the button that Enter presses: yes, no, or the daemon's choice."""
        buttons: list[Json] = [{"id": "yes", "label": visible(yes)}, {"id": "no", "label": visible(no), "role": "cancel"}]
        if destructive:
            buttons[0]["role"] = "destructive"
        for button in buttons:
            button["isDefault"] = button["id"] == default
        return self.ask({"kind": "alert", **_texts(title, message), "buttons": buttons, **request})

    def choose(self, title: str, choices: Sequence[Union[str, bytes]], message: Optional[str] = None, *,
               cancel: Optional[str] = None, **request: Any) -> Result:
        """Asks for one of several choices. It is the outcome's value, exactly as given."""
        values = {f"c{number}": choice for number, choice in enumerate(choices, 1)}
        buttons = [{"id": name, "label": visible(choice)} for name, choice in values.items()]
        if cancel is not None:
            buttons.append({"id": "cancel", "label": visible(cancel), "role": "cancel"})
        return self.ask(
            {"kind": "confirmationDialog", **_texts(title, message), "buttons": buttons, **request}, values=values)

    def form(self, title: str, schema: Mapping[str, Any], message: Optional[str] = None, **request: Any) -> Result:
        """Asks for fields. `schema` is a flat JSON Schema, or only its properties, which are then all required."""
        if not (schema.get("type") == "object" and isinstance(schema.get("properties"), Mapping)):
            schema = {"type": "object", "properties": schema, "required": list(schema)}
        return self.ask({"kind": "sheet", "sheet": "form", **_texts(title, message), "schema": schema, **request})

    def _attempt(self, request: Json, key: Optional[str]) -> tuple[Json, dict[str, str]]:
        request = {**({"app": self.app} if self.app else {}), **request}
        return request, {"Idempotency-Key": key or str(uuid.uuid4())}


def _texts(title: str, message: Optional[str]) -> Json:
    return {"title": visible(title), **({} if message is None else {"message": visible(message.expandtabs(), lines=True)})}


class Client(_Asking[Outcome]):
    """A client that blocks. Each call has its own connection, so threads can share it."""

    def ask(self, request: Json, *, key: Optional[str] = None, values: Optional[Mapping[str, Any]] = None) -> Outcome:
        body, headers = self._attempt(request, key)
        retries = _Retries(self.patience)
        while True:
            try:
                with self.connect() as connection:
                    retries.start()
                    return Outcome.of(_reply(_exchange(connection, "POST", "/v1/presentations", body, headers)), values)
            except RouterError as error:
                time.sleep(retries.after(error))

    def call(self, method: str, path: str, body: Optional[Json] = None, **headers: str) -> Any:
        """Makes any call of the API, and returns its JSON. `Prefer="respond-async"` is a header."""
        with self.connect() as connection:
            return _reply(_exchange(connection, method, path, body, headers))

    def connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(self.socket_path)
        except OSError as error:
            connection.close()
            raise _no_daemon(self.socket_path, error) from None
        return connection

    def present(self, surface: str = "main", **query: Union[str, int]) -> Iterator[Prompt]:
        """Yields each prompt of a surface when it is to be shown, until the loop ends. Reconnects to a restarted daemon. The
        query may have `name`, `only`, `after` and `priority`."""
        path = f"/v1/surfaces/{quote(surface, safe='')}/stream?" + urlencode(query)
        stream, last = _Stream(self, path), None
        stream.open()
        try:
            while True:
                while stream.prompt is None or stream.prompt is last:
                    stream.read()
                last = stream.prompt
                try:
                    last.load()
                except Unreachable:
                    stream.close()  # Open prompts come back with the next connection.
                except RouterError as error:
                    if error.status != 404:  # It ended meanwhile; the stream says so next.
                        raise
                else:
                    yield last
        finally:
            stream.close()


def _exchange(connection: socket.socket, method: str, path: str, body: Optional[Json], headers: Mapping[str, str]) -> bytes:
    received = bytearray()
    try:
        connection.sendall(_message(method, path, body, headers))
    except (BrokenPipeError, ConnectionResetError):
        pass  # The daemon refuses a body that is too large before its end, and says so.
    try:
        while part := connection.recv(65536):
            received += part
    except ConnectionResetError:
        pass
    return bytes(received)


def _no_daemon(path: str, error: OSError) -> Unreachable:
    return Unreachable(f'no daemon is listening on {path} ({error.strerror}). Start one with "routerd", or pass socket_path.')


class AsyncClient(_Asking[Awaitable[Outcome]]):
    """A client for asyncio. Canceling the task withdraws the prompt."""

    async def ask(self, request: Json, *, key: Optional[str] = None, values: Optional[Mapping[str, Any]] = None) -> Outcome:
        body, headers = self._attempt(request, key)
        retries = _Retries(self.patience)
        while True:
            try:
                reader, writer = await self.connect()
                retries.start()
                received = await _async_exchange(reader, writer, "POST", "/v1/presentations", body, headers)
                return Outcome.of(_reply(received), values)
            except RouterError as error:
                await asyncio.sleep(retries.after(error))

    async def call(self, method: str, path: str, body: Optional[Json] = None, **headers: str) -> Any:
        """Makes any call of the API, and returns its JSON."""
        return _reply(await _async_exchange(*await self.connect(), method, path, body, headers))

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await asyncio.open_unix_connection(self.socket_path)
        except OSError as error:
            raise _no_daemon(self.socket_path, error) from None


async def _async_exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str,
                          body: Optional[Json], headers: Mapping[str, str]) -> bytes:
    try:
        writer.write(_message(method, path, body, headers))
        return await reader.read()
    except OSError:
        return b""
    finally:
        writer.transport.abort()


class Prompt:
    """A prompt to show. `withdrawn` is None until it must disappear, and then the reason: answered, dismissed, cancelled, expired,
    failed, covered, snoozed, replaced by another prompt, or disconnected."""

    guard = 0.5
    """For how many seconds `line` discards keys that may be meant for what was on the terminal before."""

    def __init__(self, stream: _Stream, presentation: Json, waiting: int):
        self._stream, self.presentation, self.waiting = stream, presentation, waiting
        self.id: str = presentation["id"]
        self.generation: int = presentation["generation"]
        self.withdrawn: Optional[str] = None
        self._guarded = False

    def load(self) -> None:
        self.description: Json = self._stream.client.call("GET", f"/v1/presentations/{self.id}/prompt")["prompt"]
        self.buttons: list[Json] = self.description["buttons"]
        self.fields: list[Json] = self.description["fields"]

    def __str__(self) -> str:
        """The whole prompt, safe for a terminal: the kernel's facts, the program's text behind a bar, and buttons or fields."""
        prompt = self.description
        lines = [visible(f"{fact['label']}: {fact['text']}") for fact in prompt["asker"]]
        lines += [visible(f"! {oddity}") for oddity in prompt["oddities"]]
        texts = [prompt["heading"]] if prompt["isHeadingVisible"] else []
        texts += prompt["paragraphs"]
        texts += [] if prompt["payload"] is None else [json.dumps(prompt["payload"], indent=2, ensure_ascii=False)]
        lines += [f"│ {visible(line)}" for line in "\n\n".join(texts).split("\n")]
        for number, button in enumerate(self.buttons, 1):
            lines.append(f"  {number}  {visible(button['label'])}" + (f"  ({button['role']})" if button["role"] else ""))
        for entry in self.fields:
            notes = [entry["description"], entry["hint"], ", ".join(entry["choiceLabels"])]
            notes += ["default: " + entry["start"]] if entry["start"] else []
            lines.append(visible("  " + ": ".join(filter(None, (entry["label"], "; ".join(filter(None, notes)))))))
        return "\n".join(lines)

    def send(self, verb: str, **body: Any) -> bool:
        """Sends an act, such as snooze, for this showing. Returns False if the prompt ended or changed before."""
        try:
            self._stream.client.call("POST", f"/v1/presentations/{self.id}/{verb}", {**body, "generation": self.generation})
            return True
        except RouterError as error:
            if error.status in (404, 409):
                return False
            raise

    def answer(self, **answer: Any) -> bool:
        """Answers with `button="id"` or `value=…`, and perhaps `comment="…"`. Returns False if it does not count any more."""
        return self.send("answer", **answer)

    def dismiss(self, **more: Any) -> bool:
        """Closes the prompt without an answer."""
        return self.send("dismiss", **more)

    def fail(self, detail: str) -> bool:
        """Reports that this presenter cannot show the prompt. Others still may; without one, it ends as failed."""
        return self.send("fail", detail=visible(detail))

    def check(self, typed: Mapping[str, str]) -> tuple[Any, dict[str, str]]:
        """Reads the text typed into a form's fields. Returns the value for `answer`, and the problems by field."""
        reply = self._stream.client.call("POST", f"/v1/presentations/{self.id}/check", {"fields": dict(typed)})
        return (None if reply["answer"] is None else json.loads(reply["answer"])), reply["problems"]

    def wait(self, timeout: Optional[float] = None) -> Optional[str]:
        """Waits until the prompt is withdrawn, and returns why; None after the timeout."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self.withdrawn and (deadline is None or deadline > time.monotonic()):
            self._stream.read(deadline)
        return self.withdrawn

    def button(self, number: str) -> str:
        """Returns the id of the button with a number, as `str` shows it."""
        for shown, button in enumerate(self.buttons, 1):
            if str(shown) == number.strip():
                return str(button["id"])
        raise LookupError(f"there is no button {visible(number)}")

    def line(self, label: str = "> ", *, secret: bool = False) -> str:
        """Reads a line from standard input. Raises Withdrawn if the prompt is withdrawn first, and EOFError at the input's end."""
        stream, file = self._stream, sys.stdin.fileno()
        is_terminal = os.isatty(file)
        if is_terminal and not self._guarded:
            self.wait(self.guard)
            termios.tcflush(file, termios.TCIFLUSH)
            self._guarded, stream.typed = True, b""
        saved = termios.tcgetattr(file) if is_terminal else []
        try:
            if is_terminal and secret:
                termios.tcsetattr(file, termios.TCSADRAIN, [*saved[:3], saved[3] & ~termios.ECHO, *saved[4:]])
            print(label, end="", flush=True)
            while b"\n" not in stream.typed and not self.withdrawn:
                if file in stream.read(files=[file]):
                    part = os.read(file, 4096)
                    if not part:
                        raise EOFError
                    stream.typed += part
        finally:
            if is_terminal and secret:
                termios.tcsetattr(file, termios.TCSADRAIN, saved)
            if self.withdrawn or secret:
                print()
        if self.withdrawn:
            raise Withdrawn(self.withdrawn)
        line, _, stream.typed = stream.typed.partition(b"\n")
        return line.decode(errors="replace")


class _Stream:
    """A presenter's connection, and the prompt to show."""

    def __init__(self, client: Client, path: str):
        self.client, self.path = client, path
        self.connection: Optional[socket.socket] = None
        self.prompt: Optional[Prompt] = None
        self.received = self.typed = b""
        self.delay = 0.05

    def open(self) -> None:
        connection = self.client.connect()
        try:
            connection.sendall(_message("GET", self.path, None, {}))
            received = b""
            while b"\r\n\r\n" not in received or _status(received) >= 400:
                part = connection.recv(65536)
                received += part
                if not part:
                    _reply(received)
                    raise Unreachable("the connection to routerd was lost")
        except BaseException as error:
            connection.close()
            if isinstance(error, OSError):
                raise Unreachable(f"the connection to routerd was lost: {error}") from None
            raise
        self.connection, self.received, self.delay = connection, received.partition(b"\r\n\r\n")[2], 0.05
        self.handle()

    def read(self, deadline: Optional[float] = None, files: Sequence[int] = ()) -> list[int]:
        """Waits for events, until a deadline, or until one of the files is readable. Returns the readable files."""
        if self.connection is None:
            try:
                self.open()
            except RouterError as error:
                if not isinstance(error, Unreachable) and error.status != 503:
                    raise
                time.sleep(self.delay * random.uniform(0.5, 1))
                self.delay = min(2 * self.delay, 2)
            return []
        sources = select.poll()
        for source in (self.connection.fileno(), *files):
            sources.register(source, select.POLLIN)
        ready = [file for file, _ in sources.poll(None if deadline is None else max(0, deadline - time.monotonic()) * 1000)]
        if self.connection.fileno() in ready:
            try:
                part = self.connection.recv(65536)
            except OSError:
                part = b""
            if part:
                self.received += part
                self.handle()
            else:
                self.close()
        return [file for file in files if file in ready]

    def handle(self) -> None:
        *events, self.received = self.received.split(b"\n\n")
        for event in events:
            members = dict(line.split(": ", 1) for line in event.decode().split("\n") if ": " in line[1:])
            name, data = members.get("event"), json.loads(members.get("data", "null"))
            if name == "present":
                self.end("replaced")
                self.prompt = Prompt(self, data["presentation"], data["waiting"])
            elif name == "withdraw" and self.prompt and self.prompt.id == data["id"]:
                self.end(data["reason"])
            elif name == "queue" and self.prompt:
                self.prompt.waiting = data["waiting"]

    def end(self, reason: str) -> None:
        if self.prompt:
            self.prompt.withdrawn, self.prompt = reason, None

    def close(self) -> None:
        self.end("disconnected")
        if self.connection:
            self.connection.close()
        self.connection = None
