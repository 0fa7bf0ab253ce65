"""LangGraph's `interrupt`: a person answers while the graph waits at its checkpoint.

    agreed = interrupt({"title": "Send the mail?", "details": mail})["agreed"]     # in a node

    await run(graph, {"topic": "lunch"}, {"configurable": {"thread_id": "1"}})     # in place of graph.ainvoke
"""

import asyncio
import os

from langgraph.types import Command, Interrupt
from router_client import AsyncClient


async def answer(interrupt: Interrupt) -> dict:
    details = [{"type": "text", "title": "Details", "text": interrupt.value["details"]}]
    outcome = await AsyncClient().confirm(interrupt.value["title"], attachments=details, default="no", agent=os.getpid())
    return {"agreed": bool(outcome), "kind": outcome.kind, "comment": outcome.comment}


async def run(graph, given, config) -> dict:
    result = await graph.ainvoke(given, config)
    while open_now := result.get("__interrupt__"):
        answers = await asyncio.gather(*map(answer, open_now))
        result = await graph.ainvoke(Command(resume={asked.id: told for asked, told in zip(open_now, answers)}), config)
    return result
