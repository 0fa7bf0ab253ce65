"""An ACP agent of the Python package agent-client-protocol that asks for permission once per prompt. Run by test_acp.py."""

import asyncio
import json
import sys

import acp
from acp.schema import PermissionOption, ToolCallUpdate

OPTIONS = {
    "once": [PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
             PermissionOption(option_id="always", name="Always", kind="allow_always"),
             PermissionOption(option_id="no", name="No", kind="reject_once")],
    "modes": [PermissionOption(option_id="fast", name="Fast", kind="allow_once"),
              PermissionOption(option_id="slow", name="Slow", kind="allow_once"),
              PermissionOption(option_id="no", name="No", kind="reject_once")],
}


class Agent(acp.Agent):
    def on_connect(self, connection):
        self.connection = connection

    async def initialize(self, protocol_version, **_):
        return acp.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd, **_):
        return acp.NewSessionResponse(session_id="s-1")

    async def prompt(self, prompt, session_id, **_):
        wish = json.loads(prompt[0].text)
        call = ToolCallUpdate(tool_call_id="c-1", **wish["call"])
        reply = await self.connection.request_permission(
            session_id=session_id, tool_call=call, options=OPTIONS[wish.get("options", "once")])
        print("outcome", reply.outcome.model_dump_json(by_alias=True), file=sys.stderr, flush=True)
        return acp.PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id, **_):
        pass


asyncio.run(acp.run_agent(Agent()))
