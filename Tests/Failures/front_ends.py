"""The front ends of the failure matrix: how a host starts each, what the host reads from it, and what would allow."""

import dataclasses
import json
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Browser"))

from router import BIN  # noqa: E402

# The programs of the last version, which scripts/test-versions builds.
OLD_BIN = pathlib.Path(os.environ["ROUTER_OLD_BIN"]) if os.environ.get("ROUTER_OLD_BIN") else None
QUESTIONS = "/run/systemd/ask-password"
PAYLOADS = pathlib.Path(__file__).parent.parent / "routerctlTests" / "Payloads"


@dataclasses.dataclass
class FrontEnd:
    """A program that asks through Router, as its host starts it."""

    name: str
    # The command, given the place and the limit in seconds.
    command: callable
    # Whether the host would take this result for a permission.
    allows: callable
    # What the host reads, in a few words.
    sees: callable
    # The option that limits its time, and the default.
    limit: str
    # The seconds after which it ends by itself, given the limit; None if its host ends it.
    promise: callable = lambda limit: limit
    input: callable = lambda limit: ""
    # What the host writes once it has read an output that it answers; it then closes the pipe.
    reply: callable = lambda output: None
    # Whether standard input stays open until `reply`.
    talks: bool = False
    variables: dict = dataclasses.field(default_factory=dict)
    # Starts what must run beside it, such as an agent, and returns the processes.
    beside: callable = lambda place, limit: []
    needs: callable = lambda: None
    # Whether it only stands before a program that needs no permission without Router.
    stands_aside: bool = False


@dataclasses.dataclass
class Result:
    """What a host has read when the front end has ended, or when the deadline has passed."""

    status: int
    output: str
    errors: str
    seconds: float
    has_ended: bool

    @property
    def last_error(self):
        lines = [line for line in self.errors.splitlines() if line.strip() and "waiting: " not in line]
        return lines[-1] if lines else ""


def statuses(result):
    """The exit status with the last line of standard error."""
    real = re.search(r"the real (\S+) ran", result.output)
    if real:
        return f"the real {real[1]} runs instead"
    if result.status < 0:
        return "ended by the host"
    text = result.last_error
    return f"status {result.status}" + (f": `{text}`" if text else ", no text")


def exit_0(result):
    return result.status == 0


def git_sees(result):
    if "quit=1" in result.output:
        return "`quit=1`: git stops"
    if not result.has_ended or result.status < 0:
        return statuses(result)
    return "no answer: git asks otherwise. `" + result.last_error + "`" if not result.output else result.output


def pinentry_sees(result):
    errors = [line for line in result.output.splitlines() if line.startswith("ERR ")]
    return f"`{errors[-1]}`" if errors else statuses(result)


# The names of members in the answers of hooks.
DECISIONS = ["permissionDecision", "permission", "decision", "behavior"]
REASONS = ["permissionDecisionReason", "agent_message", "reason", "message", "errorMessage"]


def hook(host, event, agent, app, silence):
    """The hook of an agent, with a stored event of that agent."""

    stored = json.loads((PAYLOADS / host / f"{event}.json").read_text())

    def decision(result):
        """The members of the answer, without those around them."""
        text = result.output.strip()
        answer = json.loads(text) if text else {}
        answer = answer.get("hookSpecificOutput", answer)
        return answer["decision"] if isinstance(answer.get("decision"), dict) else answer

    def allows(result):
        answer = decision(result)
        # Cline runs a call that is not canceled.
        return "allow" in answer.values() or answer.get("cancel") is False

    def sees(result):
        answer = decision(result) if result.status == 0 else {}
        if not answer:
            return f"no output: {silence}" if result.status == 0 else statuses(result)
        word = next((answer[name] for name in DECISIONS if name in answer), "cancel" if answer.get("cancel") else "go on")
        return f"`{word}`" + next((f": `{answer[name]}`" for name in REASONS if name in answer), "")

    return FrontEnd(
        f"`agent hook` of {agent}, {event}",
        lambda place, limit: [place.routerctl, "agent", "hook", "--app", app, "--timeout", f"{limit}s", "--limit", f"{limit + 600}s"],
        allows, sees, HOOK, input=lambda limit: json.dumps(stored["payload"]))


def mcp(tool, arguments):
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "matrix", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}},
    ]

    def text(result):
        for line in result.output.splitlines():
            message = json.loads(line)
            if message.get("id") == 2 and "result" in message:
                return message["result"]["content"][0]["text"], message["result"].get("isError", False)
        return None, True

    def sees(result):
        said, is_error = text(result)
        if said is None:
            return "ended by the host" if result.status < 0 else statuses(result)
        return ("an error" if is_error else "the result") + f": `{said}`"

    def allows(result):
        said, is_error = text(result)
        return not is_error and said is not None and ('"allow"' in said or said.strip('"').lower() == "yes")

    return FrontEnd(
        f"`mcp`, tool `{tool}`", lambda place, limit: [place.routerctl, "mcp", "--timeout", f"{limit}s"], allows, sees,
        "`--timeout`, 10 minutes", input=lambda limit: "".join(json.dumps(message) + "\n" for message in messages),
        reply=lambda output: "" if '"id":2' in output.replace(" ", "") else None, talks=True)


def acp():
    ask = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": {
        "sessionId": "s",
        "toolCall": {"toolCallId": "c", "title": "`npm test`", "kind": "execute", "rawInput": {"command": "npm test"}},
        "options": [
            {"optionId": "yes", "name": "Yes", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}]}})
    script = 'echo "$0"; read -r line; echo "$line" >&2'
    refusal = json.dumps({"jsonrpc": "2.0", "id": 0, "result": {"outcome": {"outcome": "selected", "optionId": "no"}}})

    def sees(result):
        if "session/request_permission" in result.output:
            return "the editor is asked"
        answer = re.search(r'"optionId":"(\w+)"', result.errors.replace(" ", ""))
        return f"the agent gets the option `{answer[1]}`" if answer else statuses(result)

    return FrontEnd(
        "`agent acp`", lambda place, limit: [
            place.routerctl, "agent", "acp", "--timeout", f"{limit}s", "--", "/bin/sh", "-c", script, ask],
        lambda result: '"optionId":"yes"' in result.errors.replace(" ", ""), sees, "`--timeout`, 10 minutes",
        reply=lambda output: refusal + "\n" if "session/request_permission" in output else None, talks=True)


def start_ssh_agents(place, limit):
    """Starts OpenSSH's agent with one key, and `routerctl ssh-agent` in front of it."""
    key, own = place.file("key"), place.file("own")
    os.mkdir(place.file("agent"), 0o700)
    (pathlib.Path(place.file("text"))).write_text("text")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "work@laptop", "-f", key], check=True)
    upstream = subprocess.Popen(["ssh-agent", "-D", "-a", own], stdout=subprocess.DEVNULL)
    wait_for(lambda: is_listening(own))
    subprocess.run(["ssh-add", "-q", key], check=True, env=dict(os.environ, SSH_AUTH_SOCK=own), stderr=subprocess.DEVNULL)
    os.remove(key)
    listen = place.variables["SSH_AUTH_SOCK"]
    agent = subprocess.Popen(
        [place.routerctl, "ssh-agent", "--upstream", own, "--listen", listen], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=dict(place.variables, ROUTER_TIMEOUT=str(limit)))
    wait_for(lambda: is_listening(listen))
    return [agent, upstream]


def wait_for(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"nothing has happened for {seconds} s")
        time.sleep(0.01)


def is_listening(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        return connection.connect_ex(path) == 0


def ssh_sees(result):
    if result.status < 0:
        return "ended by the host"
    text = result.last_error.removesuffix("\r")
    return f"status {result.status}: `{text}`"


def start_password_agent(place, limit):
    """Starts an agent for the questions of a directory, which stands in for systemd's."""
    os.makedirs(QUESTIONS, exist_ok=True)
    os.mkdir(place.file("questions"))
    command = in_place_of_systemds(place, f"{place.routerctl} ask-password-agent --system")
    return [subprocess.Popen(command, env=place.variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]


def in_place_of_systemds(place, command):
    return ["unshare", "-m", "sh", "-c", f'mount --bind "$0" {QUESTIONS} && exec {command}', place.file("questions")]


def systemd_command(place, limit):
    return in_place_of_systemds(place, f"systemd-ask-password --no-tty --timeout={limit} Passphrase:")


def needs_systemd():
    if not shutil.which("systemd-ask-password"):
        return "systemd is not installed"
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        return "only root can mount, and a container may forbid it"
    return None


def needs_root():
    return None if os.geteuid() == 0 else "only root can stand in for a program of root that nobody started"


def pam_command(place, limit):
    # As sudo of the user nobody starts it.
    uid = str(pwd.getpwnam("nobody").pw_uid)
    return ["setpriv", "--ruid", uid, place.routerctl, "pam-confirm", "--socket", place.socket, "--timeout", f"{limit}s"]


def limits(limit):
    return ["--timeout", f"{limit}s", "--patience", f"{limit}s"]


def plain(*words):
    return lambda place, limit: [place.routerctl, *words]


COMMANDS = "`--timeout`, none, and `--patience` for a daemon that was there before, 30 seconds"
ENVIRONMENT = "`ROUTER_TIMEOUT`, 5 minutes"
# As `agent install` writes it: the agent waits a day longer for its hook, since a pause does not count.
HOOK = "`--timeout`, 590 seconds without pauses; with `--limit`, the agent waits for 87,000 seconds"

FRONT_ENDS = [
    FrontEnd("`confirm`", lambda place, limit: [place.routerctl, "confirm", "Deploy?", *limits(limit)], exit_0, statuses, COMMANDS),
    FrontEnd("`run`", lambda place, limit: [place.routerctl, "run", *limits(limit), "--", "/bin/echo", "it ran"],
             lambda result: "it ran" in result.output, statuses, COMMANDS),
    FrontEnd("`askpass`, a password", plain("askpass", "Password: "), exit_0, statuses, ENVIRONMENT),
    FrontEnd("`askpass`, a confirmation", plain("askpass", "Allow use of key work@laptop?"), exit_0, statuses,
             ENVIRONMENT, variables={"SSH_ASKPASS_PROMPT": "confirm"}),
    FrontEnd("`git-credential`", plain("git-credential", "get"), lambda result: "password=" in result.output, git_sees, ENVIRONMENT,
             input=lambda limit: "protocol=https\nhost=git.example.org\n\n"),
    FrontEnd("`pinentry`", plain("pinentry"), lambda result: "\nD " in result.output, pinentry_sees,
             "GnuPG's `SETTIMEOUT`, else `ROUTER_TIMEOUT`, 5 minutes",
             input=lambda limit: f"SETTIMEOUT {limit}\nSETDESC Unlock%20the%20key\nGETPIN\nBYE\n"),
    FrontEnd("`zenity --question`", lambda place, limit: [
        place.routerctl, "zenity", "--question", "--text", "Deploy?", "--timeout", str(limit)], exit_0, statuses, "`--timeout`, none"),
    FrontEnd("`whiptail --yesno`", plain("whiptail", "--yesno", "Deploy?", "8", "40"), exit_0, statuses, "none, as whiptail has none",
             promise=lambda limit: None),
    FrontEnd("`dialog --yesno`", lambda place, limit: [
        place.routerctl, "dialog", "--timeout", str(limit), "--yesno", "Deploy?", "8", "40"], exit_0, statuses, "`--timeout`, none"),
    hook("claude", "PermissionRequest", "Claude Code", "claude-code", "Claude Code asks"),
    hook("claude", "PreToolUse", "Claude Code", "claude-code", "Claude Code's rules decide"),
    dataclasses.replace(
        hook("claude", "PostToolUse", "Claude Code", "claude-code", "it asks nothing"),
        limit="the agent's for a hook that asks nothing, 30 seconds", promise=lambda limit: None),
    hook("codex", "PermissionRequest", "Codex", "codex", "Codex asks"),
    hook("codex", "PreToolUse", "Codex", "codex", "Codex's rules decide"),
    hook("copilot", "PermissionRequest", "Copilot CLI", "copilot-cli", "its own rules decide, which may allow"),
    hook("vscode", "PreToolUse", "Visual Studio Code", "vscode", "its own rules decide, which may allow"),
    hook("cursor", "beforeShellExecution", "Cursor", "cursor", "Cursor blocks the call"),
    hook("gemini", "BeforeTool", "Gemini CLI", "gemini-cli", "its own rules decide, which may allow"),
    hook("qwen", "PermissionRequest", "Qwen Code", "qwen-code", "Qwen Code asks"),
    # Its limit cannot be raised. The hook takes it to be ten seconds more than --timeout, and answers a second before.
    dataclasses.replace(
        hook("cline", "PreToolUse", "Cline", "cline", "Cline goes on"),
        limit="28 seconds, and a second before Cline's for a hook, 30 seconds",
        command=lambda place, limit: [place.routerctl, "agent", "hook", "--app", "cline", "--timeout", f"{limit}s"],
        promise=lambda limit: limit + 9),
    mcp("confirm", {"question": "Deploy?"}),
    mcp("approve", {"tool_name": "Bash", "input": {"command": "npm test"}, "tool_use_id": "t"}),
    acp(),
    FrontEnd("`ssh-agent`, seen by `ssh-keygen -Y sign`", lambda place, limit: [
        "ssh-keygen", "-Y", "sign", "-f", place.file("key.pub"), "-n", "file", place.file("text")], exit_0, ssh_sees, ENVIRONMENT,
        beside=start_ssh_agents, stands_aside=True),
    FrontEnd("`pam-confirm`", pam_command, exit_0, statuses, "`--timeout`, 60 seconds", needs=needs_root,
             variables={
                 "PAM_TYPE": "auth", "PAM_SERVICE": "sudo", "PAM_USER": "nobody", "PAM_RUSER": "nobody", "PAM_TTY": "/dev/pts/7"}),
    FrontEnd("`ask-password-agent`, seen by `systemd-ask-password`", systemd_command, exit_0, statuses, "the question's, 90 seconds",
             beside=start_password_agent, needs=needs_systemd),
]
