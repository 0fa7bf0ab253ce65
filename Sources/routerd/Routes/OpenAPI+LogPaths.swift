extension OpenAPI {
  static let logPaths = #"""
    {
      "/v1/log": {
        "get": {
          "operationId": "queryLog", "x-roles": ["audit"], "tags": ["log"], "summary": "Queries the record: presentations, the newest first.",
          "description": "Filters combine. Those that take several values take them between commas or by being given several times. With `Accept: application/x-ndjson`, one presentation a line.",
          "parameters": [
            \#(logFilters),
            {"$ref": "#/components/parameters/limit"},
            {"$ref": "#/components/parameters/cursor"}
          ],
          "responses": {
            "200": {
              "description": "A page; as NDJSON without the cursor of the next.",
              "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/PresentationPage"}},
                "application/x-ndjson": {"schema": {"type": "string"}}
              }
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/log/events": {
        "get": {
          "operationId": "queryEvents", "x-roles": ["audit"], "tags": ["log"], "summary": "Queries the record: events, the newest first.",
          "description": "The filters are about the presentation that an event belongs to; `since` and `until` are about the event's own time. With `Accept: application/x-ndjson`, one event a line.",
          "parameters": [
            \#(logFilters),
            {"$ref": "#/components/parameters/limit"},
            {"$ref": "#/components/parameters/cursor"}
          ],
          "responses": {
            "200": {
              "description": "A page; as NDJSON without the cursor of the next.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object", "required": ["events", "next"],
                    "properties": {
                      "events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
                      "next": {"type": ["string", "null"]}
                    }
                  }
                },
                "application/x-ndjson": {"schema": {"type": "string"}}
              }
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/log/stats": {
        "get": {
          "operationId": "logStatistics", "x-roles": ["audit"], "tags": ["log"], "summary": "Counts presentations, with the times that they waited and were shown.",
          "parameters": [
            \#(logFilters),
            {
              "name": "by", "in": "query", "explode": false, "description": "Only these groups.",
              "schema": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": ["app", "hour", "day", "outcome"]}}
            }
          ],
          "responses": {
            "200": {
              "description": "The counts.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Statistics"}}}
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/log/stream": {
        "get": {
          "operationId": "streamLog", "x-roles": ["audit"], "tags": ["log"], "summary": "Streams events as they come to be on record.",
          "description": "Server-sent events, each named by its type, its `id` the event's `seq`. `Last-Event-ID` resumes without a gap or a repeat, also over a restart of the daemon.",
          "parameters": [
            \#(logFilters),
            {"name": "Last-Event-ID", "in": "header", "description": "The last event that was seen.", "schema": {"type": "integer", "minimum": 0}}
          ],
          "responses": {
            "200": {"description": "The stream.", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/log/prune": {
        "post": {
          "operationId": "pruneLog", "x-roles": ["admin"], "tags": ["log"], "summary": "Takes the oldest events off the record.",
          "description": "What ended before that time goes, up to the first presentation that is open or ended later. An event and an anchor stay, so that the rest still verifies. It answers when the file has been swept.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object", "required": ["before"], "additionalProperties": false,
                  "properties": {"before": {"description": "A day ago or earlier.", "type": "string", "format": "date-time"}}
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "What went.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object", "required": ["through", "hash", "events", "keeper"],
                    "properties": {
                      "through": {"description": "The last event that is gone.", "type": ["integer", "null"]},
                      "hash": {"description": "Its hash.", "type": ["string", "null"]},
                      "events": {"type": "integer", "minimum": 0},
                      "keeper": {
                        "description": "The presentation that keeps the rest, though older than what was asked for.",
                        "anyOf": [{"$ref": "#/components/schemas/Presentation"}, {"type": "null"}]
                      }
                    }
                  }
                }
              }
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "422": {"$ref": "#/components/responses/Impossible"},
            "500": {"$ref": "#/components/responses/Defect"},
            "503": {"$ref": "#/components/responses/Unavailable"}
          }
        }
      },
      "/v1/log/{id}": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "get": {
          "operationId": "listEvents", "x-roles": ["audit"], "tags": ["log"], "summary": "Lists a presentation's events, the oldest first.",
          "responses": {
            "200": {
              "description": "The events.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object", "required": ["events"],
                    "properties": {"events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}}}
                  }
                }
              }
            },
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      }
    }
    """#
}
