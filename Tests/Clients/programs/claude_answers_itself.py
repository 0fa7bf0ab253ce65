"""Answers its own prompt, which the daemon refuses, and stops asking."""

import asyncio
import json

from claude_agent_sdk import ToolPermissionContext
from claude_permissions import can_use_tool
from router_client import AsyncClient, RouterError


async def main():
    client = AsyncClient()
    call = asyncio.create_task(can_use_tool("Bash", {"command": "true"}, ToolPermissionContext()))
    while True:
        prompts = (await client.call("GET", "/v1/presentations"))["presentations"]
        if prompts and prompts[0]["state"] == "presented":
            break
    try:
        await client.call("POST", f"/v1/presentations/{prompts[0]['id']}/answer", {"button": "yes"})
    except RouterError as error:
        status = error.status
    call.cancel()
    return [status, (await client.call("GET", f"/v1/presentations/{prompts[0]['id']}", Prefer="wait=30"))["outcome"]["type"]]


print(json.dumps(asyncio.run(main())))
