extension OpenAPI {
  static let presentingSchemas = #"""
    {
      "Generation": {
        "description": "The showing that it was done on; the present one unless given. 409 staleGeneration for another.",
        "type": "integer", "minimum": 0
      },
      "AnswerBody": {
        "description": "Either the id of a button or a value.",
        "type": "object", "additionalProperties": false,
        "properties": {
          "button": {"description": "Of an alert or a confirmation dialog.", "type": "string"},
          "value": {"description": "Of a sheet or a cover: an object that fits its schema; without a schema any JSON."},
          "generation": {"$ref": "#/components/schemas/Generation"}
        },
        "oneOf": [{"required": ["button"]}, {"required": ["value"]}]
      },
      "DismissBody": {
        "type": "object", "additionalProperties": false,
        "properties": {"generation": {"$ref": "#/components/schemas/Generation"}}
      },
      "FailBody": {
        "type": "object", "additionalProperties": false,
        "properties": {
          "detail": {"$ref": "#/components/schemas/Message", "default": "the presenter cannot show it"},
          "generation": {"$ref": "#/components/schemas/Generation"}
        }
      },
      "FinishBody": {"type": "object", "additionalProperties": false},
      "Surface": {
        "type": "object", "required": ["name", "presented", "waiting", "presenters"],
        "properties": {
          "name": {"$ref": "#/components/schemas/Name"},
          "presented": {
            "description": "The stack, the bottom first.",
            "type": "array", "items": {"$ref": "#/components/schemas/PresentationID"}
          },
          "waiting": {"type": "integer", "minimum": 0},
          "presenters": {
            "type": "array",
            "items": {
              "type": "object", "required": ["name", "uid", "since"],
              "properties": {
                "name": {"$ref": "#/components/schemas/Label"},
                "uid": {"type": "integer", "minimum": 0},
                "since": {"type": "string", "format": "date-time"}
              }
            }
          }
        }
      },
      "PresentEvent": {
        "description": "Show this; it replaces what was shown before.",
        "type": "object", "required": ["presentation", "waiting"],
        "properties": {
          "presentation": {"$ref": "#/components/schemas/Presentation"},
          "waiting": {"description": "How many wait behind it.", "type": "integer", "minimum": 0}
        }
      },
      "WithdrawalReason": {
        "type": "string", "enum": ["answered", "dismissed", "cancelled", "expired", "failed", "covered"]
      },
      "WithdrawEvent": {
        "description": "Take this down.",
        "type": "object", "required": ["id", "generation", "reason"],
        "properties": {
          "id": {"$ref": "#/components/schemas/PresentationID"},
          "generation": {"type": "integer", "minimum": 0},
          "reason": {"$ref": "#/components/schemas/WithdrawalReason"}
        }
      },
      "QueueEvent": {
        "description": "How many wait has changed.",
        "type": "object", "required": ["waiting"], "properties": {"waiting": {"type": "integer", "minimum": 0}}
      }
    }
    """#

  static let recordSchemas = #"""
    {
      "EventType": {
        "type": "string",
        "enum": [
          "requested", "presented", "withdrawn", "answered", "dismissed", "cancelled", "expired", "failed", "detached",
          "delivered", "callbackDelivered", "callbackFailed", "presenterAttached", "presenterDetached", "daemonStarted",
          "daemonStopped", "throttled", "accessDenied", "pruned"
        ]
      },
      "Event": {
        "description": "One event on record.",
        "type": "object", "required": ["seq", "at", "type", "presentation", "detail"],
        "properties": {
          "seq": {"description": "The place in the log; it only rises.", "type": "integer", "minimum": 1},
          "at": {"type": "string", "format": "date-time"},
          "type": {"$ref": "#/components/schemas/EventType"},
          "presentation": {"anyOf": [{"$ref": "#/components/schemas/PresentationID"}, {"type": "null"}]},
          "detail": {"type": "object"}
        }
      },
      "Times": {
        "description": "Percentiles in seconds, each within a sixteenth of the truth; null where there are none.",
        "anyOf": [
          {"type": "null"},
          {
            "type": "object", "required": ["p50", "p90", "p99"],
            "properties": {"p50": {"type": "number"}, "p90": {"type": "number"}, "p99": {"type": "number"}}
          }
        ]
      },
      "StatisticsGroup": {
        "description": "The presentations of one app, hour, day or outcome, or all; those that are open are in none.",
        "type": "object", "required": ["count", "outcomes", "waited", "shown"],
        "properties": {
          "app": {"type": "string"},
          "hour": {"description": "When it begins.", "type": "string", "format": "date-time"},
          "day": {"description": "In UTC.", "type": "string", "format": "date"},
          "outcome": {"$ref": "#/components/schemas/OutcomeName"},
          "count": {"type": "integer", "minimum": 0},
          "outcomes": {
            "description": "How many ended how.", "type": "object", "additionalProperties": {"type": "integer", "minimum": 0}
          },
          "waited": {
            "$ref": "#/components/schemas/Times", "description": "From being asked for until being first shown, or ending before."
          },
          "shown": {"$ref": "#/components/schemas/Times", "description": "From being first shown until the end."}
        }
      },
      "Statistics": {
        "type": "object", "required": ["open", "total"],
        "properties": {
          "open": {"description": "How many are open.", "type": "integer", "minimum": 0},
          "total": {"$ref": "#/components/schemas/StatisticsGroup"},
          "apps": {"type": "array", "items": {"$ref": "#/components/schemas/StatisticsGroup"}},
          "hours": {"type": "array", "items": {"$ref": "#/components/schemas/StatisticsGroup"}},
          "days": {"type": "array", "items": {"$ref": "#/components/schemas/StatisticsGroup"}},
          "outcomes": {"type": "array", "items": {"$ref": "#/components/schemas/StatisticsGroup"}}
        }
      },
      "Durability": {
        "description": "What \"on record\" survives. full: a power cut. relaxed: a crash of the daemon.",
        "type": "string", "enum": ["full", "relaxed"]
      },
      "Status": {
        "type": "object",
        "required": ["version", "uptime", "surfaces", "open", "databaseBytes", "durability", "writable"],
        "properties": {
          "version": {"type": "string"},
          "uptime": {"description": "In seconds.", "type": "number", "minimum": 0},
          "surfaces": {"description": "How many surfaces are in use.", "type": "integer", "minimum": 0},
          "open": {"description": "How many presentations are open.", "type": "integer", "minimum": 0},
          "databaseBytes": {
            "description": "What the database takes on disk, without its write-ahead log.", "type": "integer", "minimum": 0
          },
          "durability": {"$ref": "#/components/schemas/Durability"},
          "writable": {"description": "Whether the log can be written, as far as is known.", "type": "boolean"}
        }
      },
      "ProblemCode": {
        "description": "Which case of 409 or 503 it is.",
        "type": "string",
        "enum": ["resolved", "notPresented", "covered", "staleGeneration", "notAnswered", "logUnavailable", "shuttingDown"]
      },
      "Problem": {
        "description": "An error, as RFC 9457 has it.",
        "type": "object", "required": ["type", "title", "status", "detail"],
        "properties": {
          "type": {"const": "about:blank"},
          "title": {"description": "The status in words.", "type": "string"},
          "status": {"type": "integer", "minimum": 400, "maximum": 599},
          "detail": {"description": "For a person: \"cannot …\".", "type": "string"},
          "field": {"description": "A JSON Pointer to the field to blame.", "type": "string"},
          "code": {"$ref": "#/components/schemas/ProblemCode"},
          "outcome": {"$ref": "#/components/schemas/Outcome", "description": "How it ended, with the code resolved."}
        }
      }
    }
    """#
}
