"""An agent whose scripted model deletes two files with a tool that needs approval."""

import asyncio
import json

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_approvals import approve

deleted, returned = [], []


def model(messages, info):
    results = [part for part in messages[-1].parts if part.part_kind == "tool-return"]
    returned.extend(str(part.content) for part in results)
    if results:
        return ModelResponse(parts=[TextPart("done")])
    return ModelResponse(parts=[ToolCallPart("delete_file", {"path": path}) for path in ("temporary", "thesis")])


agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def delete_file(path: str) -> str:
    deleted.append(path)
    return f"deleted {path}"


async def main():
    result = await agent.run("Clean up")
    while isinstance(result.output, DeferredToolRequests):
        approvals = await approve(result.output)
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=approvals)


asyncio.run(main())
print(json.dumps({"deleted": deleted, "returned": returned}))
