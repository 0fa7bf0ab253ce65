"""pydantic-ai's deferred tools: a person approves each call of a tool with `requires_approval=True`.

    result = await agent.run("Clean up")
    while isinstance(result.output, DeferredToolRequests):
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=await approve(result.output))
"""

import os

from pydantic_ai import DeferredToolRequests, DeferredToolResults, ToolDenied
from router_client import AsyncClient


async def approve(requests: DeferredToolRequests) -> DeferredToolResults:
    results = DeferredToolResults()
    for call in requests.approvals:
        outcome = await AsyncClient().confirm(
            f"Run {call.tool_name}?", yes="Allow", no="Deny", default="no", agent=os.getpid(),
            attachments=[{"type": "text", "title": "Arguments", "text": call.args_as_json_str()}])
        results.approvals[call.tool_call_id] = True if outcome else ToolDenied(f"Not allowed: {outcome}.")
    return results
