"""A minimal service in place of routerd, with aiohttp and sqlite3 and enough of routerd's API for router_load.c:
aiohttp_service.py SOCKET DATABASE"""

import asyncio
import collections
import json
import sqlite3
import sys
import uuid

from aiohttp import web

database = sqlite3.connect(sys.argv[2], isolation_level=None)
database.executescript(
    """PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
    CREATE TABLE events (seq INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP, type TEXT, presentation TEXT, detail TEXT);
    CREATE TABLE presentations (id TEXT PRIMARY KEY, surface TEXT, request TEXT, answer TEXT)"""
)


class Surface:
    def __init__(self):
        self.shown = None
        self.waiting = collections.deque()
        self.presenter = None

    def show(self):
        if self.shown is None and self.presenter is not None and self.waiting:
            self.shown = self.waiting.popleft()
            self.presenter.put_nowait(self.shown)


surfaces = collections.defaultdict(Surface)
presentations = {}


def record(event, identifier, detail, sql, *values):
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO events (type, presentation, detail) VALUES (?, ?, ?)", (event, identifier, detail))
    database.execute(sql, values)
    database.execute("COMMIT")


async def ask(request):
    text = await request.text()
    body = json.loads(text)
    identifier = str(uuid.uuid4())
    surface = surfaces[body["surface"]]
    presentation = {"id": identifier, "generation": 1, "request": body, "outcome": None}
    record("requested", identifier, text, "INSERT INTO presentations VALUES (?, ?, ?, NULL)", identifier, body["surface"], text)
    presentations[identifier] = (presentation, surface, asyncio.get_running_loop().create_future())
    surface.waiting.append(presentation)
    surface.show()
    try:
        await presentations[identifier][2]
    finally:
        del presentations[identifier]
    return web.json_response(presentation)


async def answer(request):
    body = await request.json()
    identifier = request.match_info["id"]
    presentation, surface, answered = presentations[identifier]
    if surface.shown is not presentation:
        raise web.HTTPConflict()
    button = body["button"]
    record("answered", identifier, button, "UPDATE presentations SET answer = ? WHERE id = ?", button, identifier)
    presentation["outcome"] = {"type": "answered", "button": button}
    surface.shown = None
    answered.set_result(None)
    surface.show()
    return web.json_response(presentation)


async def stream(request):
    surface = surfaces[request.match_info["surface"]]
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(b'event: queue\ndata: {"waiting":0}\n\n')
    surface.presenter = asyncio.Queue()
    surface.show()
    try:
        while True:
            presentation = await surface.presenter.get()
            data = json.dumps({"presentation": presentation, "waiting": len(surface.waiting)})
            await response.write(f"event: present\ndata: {data}\n\n".encode())
    finally:
        surface.presenter = None


application = web.Application()
application.add_routes(
    [
        web.post("/v1/presentations", ask),
        web.post("/v1/presentations/{id}/answer", answer),
        web.get("/v1/surfaces/{surface}/stream", stream),
    ]
)
web.run_app(application, path=sys.argv[1], print=None, access_log=None)
