"""Calls `can_use_tool` as the Claude Agent SDK does."""

import asyncio
import json

from claude_agent_sdk import ClaudeAgentOptions, ToolPermissionContext
from claude_permissions import can_use_tool

options = ClaudeAgentOptions(can_use_tool=can_use_tool)
calls = [("Bash", {"command": "rm -rf build\x1b", "description": "Cleans up"}), ("Write", {"file_path": "/a"}), ("Task", {})]


async def main():
    results = [await options.can_use_tool(tool, given, ToolPermissionContext(tool_use_id="1")) for tool, given in calls]
    return [[result.behavior, getattr(result, "message", "")] for result in results]


print(json.dumps(asyncio.run(main())))
