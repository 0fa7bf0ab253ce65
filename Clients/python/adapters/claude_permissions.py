"""The Claude Agent SDK's `can_use_tool`: a person allows each tool call.

    ClaudeAgentOptions(can_use_tool=can_use_tool)
"""

import json
import os

from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny, ToolPermissionContext
from router_client import AsyncClient


async def can_use_tool(tool: str, given: dict, context: ToolPermissionContext):
    outcome = await AsyncClient().confirm(
        f"Run {tool}?", context.title, yes="Allow", no="Deny", default="no", agent=os.getpid(), timeout=600,
        attachments=[{"type": "text", "title": "Input", "text": json.dumps(given, indent=2, ensure_ascii=False)}])
    if outcome:
        return PermissionResultAllow()
    return PermissionResultDeny(message=f"Not allowed by the user ({outcome.kind}). {outcome.comment or ''}")
