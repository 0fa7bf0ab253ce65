extension OpenAPI {
  static let presentationSchemas = #"""
    {
      "PresentationState": {"type": "string", "enum": ["queued", "presented", "resolved"]},
      "Presentation": {
        "type": "object",
        "required": [
          "id", "state", "covered", "position", "generation", "attached", "requester", "request", "requestedAt",
          "presentedAt", "resolvedAt", "outcome", "resolvedBy", "callback"
        ],
        "properties": {
          "id": {"$ref": "#/components/schemas/PresentationID"},
          "state": {"$ref": "#/components/schemas/PresentationState"},
          "covered": {"description": "Whether something is stacked on it, so that it cannot be answered now.", "type": "boolean"},
          "position": {
            "description": "0 when shown, else how many are ahead of it on its surface.", "type": "integer", "minimum": 0
          },
          "generation": {"description": "How many times it was put up.", "type": "integer", "minimum": 0},
          "attached": {"description": "Whether it lives only as long as its requester's connection.", "type": "boolean"},
          "requester": {"$ref": "#/components/schemas/Requester"},
          "request": {"$ref": "#/components/schemas/PresentationRequest"},
          "requestedAt": {"type": "string", "format": "date-time"},
          "presentedAt": {"description": "When it was first shown.", "type": ["string", "null"], "format": "date-time"},
          "resolvedAt": {"type": ["string", "null"], "format": "date-time"},
          "outcome": {"anyOf": [{"$ref": "#/components/schemas/Outcome"}, {"type": "null"}]},
          "resolvedBy": {
            "description": "Who answered, dismissed, failed it or took it back.",
            "anyOf": [{"$ref": "#/components/schemas/Resolver"}, {"type": "null"}]
          },
          "callback": {"anyOf": [{"$ref": "#/components/schemas/Callback"}, {"type": "null"}]}
        }
      },
      "PresentationPage": {
        "type": "object", "required": ["presentations", "next"],
        "properties": {
          "presentations": {"type": "array", "items": {"$ref": "#/components/schemas/Presentation"}},
          "next": {"description": "The cursor of the next page; null on the last.", "type": ["string", "null"]}
        }
      },
      "Requester": {
        "description": "Who asked: uid and gid by the kernel's word, pid and executable as /proc had them at connect time, app by its own word.",
        "type": "object", "required": ["app", "uid", "gid", "pid", "executable"],
        "properties": {
          "app": {"$ref": "#/components/schemas/Name"},
          "uid": {"type": "integer", "minimum": 0},
          "gid": {"type": "integer", "minimum": 0},
          "pid": {"type": "integer", "minimum": 0},
          "executable": {"type": ["string", "null"]},
          "unit": {"$ref": "#/components/schemas/Unit"}
        }
      },
      "Unit": {
        "description": "The systemd unit that the process ran in at connect time (sd_pid_get_unit); left out where there was none.",
        "type": "string", "examples": ["deploy.service", "user@1000.service"]
      },
      "Resolver": {
        "type": "object", "required": ["uid", "gid", "pid", "executable", "presenter"],
        "properties": {
          "uid": {"type": "integer", "minimum": 0},
          "gid": {"type": "integer", "minimum": 0},
          "pid": {"type": "integer", "minimum": 0},
          "executable": {"type": ["string", "null"]},
          "unit": {"$ref": "#/components/schemas/Unit"},
          "presenter": {"description": "The presenter's name, where it was one.", "type": ["string", "null"]}
        }
      },
      "CallbackStateName": {"type": "string", "enum": ["pending", "delivered", "failed"]},
      "Callback": {
        "description": "How far a dismiss callback has come.",
        "type": "object", "required": ["state", "attempts", "lastError"],
        "properties": {
          "state": {"$ref": "#/components/schemas/CallbackStateName"},
          "attempts": {"type": "integer", "minimum": 0},
          "lastError": {"type": ["string", "null"]}
        }
      },
      "OutcomeName": {"type": "string", "enum": ["answered", "dismissed", "cancelled", "expired", "failed"]},
      "CancellationReason": {
        "description": "requester: took it back. requesterGone: its connection was lost. superseded: another took its place. busy: its place was taken. parentEnded: what it was stacked on ended. noPresenter: nobody was there to show it. admin: an administrator took it back. interrupted: the daemon went down.",
        "type": "string",
        "enum": [
          "requester", "requesterGone", "superseded", "busy", "parentEnded", "noPresenter", "admin", "interrupted"
        ]
      },
      "ExpiryPhase": {"type": "string", "enum": ["queued", "presented"]},
      "Outcome": {
        "description": "How it ended. Only a person's act is answered or dismissed.",
        "type": "object", "required": ["type"], "properties": {"type": {"$ref": "#/components/schemas/OutcomeName"}},
        "oneOf": [
          {
            "required": ["button"],
            "properties": {"type": {"const": "answered"}, "button": {"$ref": "#/components/schemas/Name"}}
          },
          {"required": ["value"], "properties": {"type": {"const": "answered"}, "value": {}}},
          {
            "description": "There was an answer, and it is for the asker alone.",
            "required": ["redacted"], "properties": {"type": {"const": "answered"}, "redacted": {"const": true}}
          },
          {"properties": {"type": {"const": "dismissed"}}},
          {
            "required": ["reason"],
            "properties": {"type": {"const": "cancelled"}, "reason": {"$ref": "#/components/schemas/CancellationReason"}}
          },
          {
            "required": ["phase"],
            "properties": {"type": {"const": "expired"}, "phase": {"$ref": "#/components/schemas/ExpiryPhase"}}
          },
          {"required": ["detail"], "properties": {"type": {"const": "failed"}, "detail": {"type": "string"}}}
        ]
      },
      "QueuedEvent": {
        "description": "It stands in line. Told again when the position changes, at most once a second.",
        "type": "object", "required": ["id", "position"],
        "properties": {
          "id": {"$ref": "#/components/schemas/PresentationID"},
          "position": {"type": "integer", "minimum": 0}
        }
      },
      "PresentedEvent": {
        "description": "It is before the person.",
        "type": "object", "required": ["id", "generation"],
        "properties": {
          "id": {"$ref": "#/components/schemas/PresentationID"},
          "generation": {"type": "integer", "minimum": 1}
        }
      },
      "AnsweredEvent": {
        "description": "It was answered on that showing. resolved follows; but what is part of a flow stays and is presented again.",
        "type": "object", "required": ["id", "generation", "outcome"],
        "properties": {
          "id": {"$ref": "#/components/schemas/PresentationID"},
          "generation": {"type": "integer", "minimum": 1},
          "outcome": {"$ref": "#/components/schemas/Outcome"}
        }
      }
    }
    """#
}
