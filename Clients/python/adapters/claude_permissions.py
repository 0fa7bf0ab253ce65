"""The Claude Agent SDK's `can_use_tool`: a person allows each tool call.

    ClaudeAgentOptions(can_use_tool=can_use_tool)
"""

import json
import os

from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny, ToolPermissionContext
from router_client import AsyncClient


async def can_use_tool(tool: str, arguments: dict, context: ToolPermissionContext):
    details = {name: value for name, value in arguments.items() if name != "command"}
    attachments = [{"type": "text", "title": "Input", "text": json.dumps(details, indent=2, ensure_ascii=False)}]
    if "command" in arguments:
        attachments.insert(0, {"type": "command", "text": arguments["command"]})
    outcome = await AsyncClient().confirm(
        f"Run {tool}?", yes="Allow", no="Deny", default="no", attachments=attachments, agent=os.getpid(), timeout=600)
    return PermissionResultAllow() if outcome else PermissionResultDeny(message=f"Not allowed: {outcome}.")
