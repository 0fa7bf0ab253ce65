"""A graph whose nodes run in parallel, each of which interrupts, and one that then interrupts again."""

import asyncio
import json
import operator
from typing import Annotated, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from langgraph_interrupts import run


class State(TypedDict):
    log: Annotated[list, operator.add]


def mail(to):
    def node(state: State):
        answer = interrupt({"title": f"Send the mail to {to}?", "details": "Hello\n"})
        return {"log": [f"sent to {to}" if answer["agreed"] else f"not sent to {to}: {answer['reason']}"]}

    return node


builder = StateGraph(State)
for name, to in (("ada", "Ada"), ("bob", "Bob"), ("again", "Ada again")):
    builder.add_node(name, mail(to))
for start, end in ((START, "ada"), (START, "bob"), ("ada", "again"), ("bob", END), ("again", END)):
    builder.add_edge(start, end)
graph = builder.compile(checkpointer=InMemorySaver())


async def main():
    config = {"configurable": {"thread_id": "1"}}
    await graph.ainvoke({"log": []}, config)  # As if the process had ended while it asked.
    return (await run(graph, None, config))["log"]


print(json.dumps(asyncio.run(main())))
