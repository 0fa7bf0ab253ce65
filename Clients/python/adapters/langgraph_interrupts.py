"""LangGraph's `interrupt`: a person answers while the graph waits at its checkpoint.

    agreed = interrupt({"title": "Send the mail?", "details": mail})["agreed"]     # in a node

    await run(graph, {"topic": "lunch"}, config)     # in place of graph.ainvoke
    await run(graph, None, config)                   # after the process ended while it asked: asks again
"""

import asyncio
import os

from langgraph.types import Command, Interrupt
from router_client import AsyncClient


async def answer(interrupt: Interrupt) -> dict:
    details = [{"type": "text", "title": "Details", "text": interrupt.value["details"]}]
    outcome = await AsyncClient().confirm(interrupt.value["title"], attachments=details, default="no", agent=os.getpid())
    return {"agreed": bool(outcome), "reason": str(outcome)}


async def run(graph, state, config) -> dict:
    result = await graph.ainvoke(state, config)
    while interrupts := result.get("__interrupt__"):
        answers = await asyncio.gather(*map(answer, interrupts))
        result = await graph.ainvoke(Command(resume={one.id: reply for one, reply in zip(interrupts, answers)}), config)
    return result
