extension OpenAPI {
  static let requestSchemas = #"""
    {
      "PresentationID": {"type": "string", "format": "uuid", "description": "A UUIDv7 (RFC 9562) in lower case."},
      "Name": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
      "Title": {
        "description": "At most 1024 bytes, without control characters and bidirectional overrides.",
        "type": "string", "maxLength": 1024,
        "pattern": "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]*$"
      },
      "Label": {
        "description": "At most 256 bytes, without control characters and bidirectional overrides.",
        "type": "string", "maxLength": 256,
        "pattern": "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]*$"
      },
      "Message": {
        "description": "At most 65536 bytes, without control characters but newline, and without bidirectional overrides.",
        "type": "string", "maxLength": 65536,
        "pattern": "^[^\\u0000-\\u0009\\u000B-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]*$"
      },
      "Seconds": {
        "description": "A length of time in seconds, to the millisecond; null is none.",
        "type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 315360000
      },
      "PresentationKind": {"type": "string", "enum": ["alert", "confirmationDialog", "sheet", "fullScreenCover"]},
      "TitleVisibility": {
        "description": "Whether a confirmation dialog shows its title.",
        "type": "string", "enum": ["automatic", "visible", "hidden"]
      },
      "PresentationPriority": {
        "description": "Which of what waits comes first; first in, first out within one.",
        "type": "string", "enum": ["low", "normal", "high", "critical"]
      },
      "ConflictPolicy": {
        "description": "What happens if its place is taken. enqueue: it waits in line. cancelNew: it ends at once as cancelled, busy. cancelPrevious: it supersedes what is shown, if that belongs to the same uid or the caller is an administrator.",
        "type": "string", "enum": ["enqueue", "cancelNew", "cancelPrevious"]
      },
      "NoPresenterPolicy": {
        "description": "What happens if nobody is there to show it when it is its turn. fail: it ends as cancelled, noPresenter.",
        "type": "string", "enum": ["wait", "fail"]
      },
      "ButtonRole": {
        "description": "How a button looks and which key presses it. Every button is an answer.",
        "type": "string", "enum": ["destructive", "cancel"]
      },
      "PresentationButton": {
        "type": "object", "required": ["id"], "additionalProperties": false,
        "properties": {
          "id": {"$ref": "#/components/schemas/Name", "description": "What the answer says; differs from the other buttons'."},
          "label": {"$ref": "#/components/schemas/Label", "description": "What the person reads; the id unless given."},
          "role": {"$ref": "#/components/schemas/ButtonRole"}
        }
      },
      "PresentationRequest": {
        "description": "What is asked.",
        "type": "object", "required": ["kind"], "additionalProperties": false,
        "properties": {
          "kind": {"$ref": "#/components/schemas/PresentationKind"},
          "title": {
            "$ref": "#/components/schemas/Title",
            "description": "What the person reads first. Required, and not only white space, for alerts and confirmation dialogs."
          },
          "titleVisibility": {"$ref": "#/components/schemas/TitleVisibility", "description": "Of a confirmation dialog."},
          "message": {"$ref": "#/components/schemas/Message"},
          "buttons": {
            "description": "Of an alert or a confirmation dialog. An alert without any gets one, ok.",
            "type": "array", "maxItems": 64, "items": {"$ref": "#/components/schemas/PresentationButton"}
          },
          "sheet": {"$ref": "#/components/schemas/Name", "description": "The name of a sheet or a cover, such as contact."},
          "payload": {"description": "Of a sheet or a cover: whatever a presenter that knows it needs. Any JSON."},
          "schema": {
            "$ref": "#/components/schemas/FormSchema",
            "description": "The fields of a sheet or a cover. Without them any JSON value is an answer."
          },
          "app": {
            "$ref": "#/components/schemas/Name",
            "description": "The program's name by its own word; the executable's name unless given."
          },
          "surface": {"$ref": "#/components/schemas/Name", "default": "main", "description": "The place where it is shown."},
          "priority": {"$ref": "#/components/schemas/PresentationPriority", "default": "normal"},
          "conflictPolicy": {"$ref": "#/components/schemas/ConflictPolicy", "default": "enqueue"},
          "timeout": {
            "$ref": "#/components/schemas/Seconds", "description": "How long from the request until it expires, shown or not."
          },
          "queueTimeout": {
            "$ref": "#/components/schemas/Seconds", "description": "How long it may wait until it is first shown."
          },
          "shownTimeout": {
            "$ref": "#/components/schemas/Seconds",
            "description": "How long it may be shown, not counting the time when nobody was there to show it. What is part of a flow has all of it again after each answer."
          },
          "noPresenter": {"$ref": "#/components/schemas/NoPresenterPolicy", "default": "wait"},
          "over": {
            "$ref": "#/components/schemas/PresentationID",
            "description": "The open presentation of the same user, on the same surface, that it is stacked on. It is presented and covered meanwhile, and shown again afterwards; when it ends, what is on it ends first as cancelled, parentEnded. 422 if there is none, or too many are stacked."
          },
          "flow": {
            "description": "Whether a sheet or a cover is the root (without over) or a screen (over another of the same flow) of a flow. It is asked for with an event stream (else 422), cannot be detached, and stays after an answer, as a new generation. Screens stack without a limit. Dismissing a screen is Back, dismissing the root leaves the flow.",
            "type": "boolean", "default": false
          },
          "sensitive": {
            "description": "Only the asker's own response or stream carries the answer, and it is never stored. A field of the format password implies it. Such a request cannot be detached (422).",
            "type": "boolean", "default": false
          },
          "onDismiss": {
            "description": "A callback: POST with the resolved presentation when it has ended, however it ended, until it is accepted (2xx) or its tries run out. At least once; the presentation's id serves to drop repeats.",
            "type": "object", "required": ["url"], "additionalProperties": false,
            "properties": {
              "url": {
                "description": "A path behind a Unix socket whose listener runs as the requester's uid: http+unix:// with the socket's absolute path, percent-encoded, as the host.",
                "type": "string", "maxLength": 2048, "pattern": "^[Hh][Tt][Tt][Pp]\\+[Uu][Nn][Ii][Xx]://%2[Ff][!-\"$-~]*$"
              }
            }
          },
          "metadata": {
            "description": "The requester's own labels.",
            "type": "object", "maxProperties": 64, "propertyNames": {"$ref": "#/components/schemas/Label"},
            "additionalProperties": {"$ref": "#/components/schemas/Message"}
          }
        },
        "allOf": [
          {
            "if": {"properties": {"kind": {"enum": ["alert", "confirmationDialog"]}}},
            "then": {"required": ["title"], "properties": {"sheet": false, "payload": false, "schema": false, "flow": {"const": false}}},
            "else": {"properties": {"buttons": {"maxItems": 0}}}
          },
          {
            "if": {"properties": {"kind": {"const": "confirmationDialog"}}},
            "then": {"required": ["buttons"], "properties": {"buttons": {"minItems": 1}}},
            "else": {"properties": {"titleVisibility": false}}
          }
        ]
      }
    }
    """#

  static let formSchemas = #"""
    {
      "FormSchema": {
        "description": "A form: a flat JSON Schema object, the form subset of the Model Context Protocol's elicitation/create, and the format password for a secret. The order of the properties is the order of the form.",
        "type": "object", "required": ["type", "properties"], "additionalProperties": false,
        "properties": {
          "type": {"const": "object"},
          "title": {"type": "string"},
          "description": {"type": "string"},
          "properties": {
            "type": "object", "maxProperties": 64,
            "propertyNames": {"$ref": "#/components/schemas/FieldName"},
            "additionalProperties": {"$ref": "#/components/schemas/FormProperty"}
          },
          "required": {"description": "Names of properties.", "type": "array", "items": {"type": "string"}}
        }
      },
      "FieldName": {
        "description": "1 to 64 bytes, without control characters and bidirectional overrides.",
        "type": "string", "minLength": 1, "maxLength": 64
      },
      "FormPropertyType": {"type": "string", "enum": ["string", "number", "integer", "boolean"]},
      "FormProperty": {
        "description": "A field. minLength, maxLength, pattern and format go with strings, minimum and maximum with numbers, enum with all but booleans.",
        "type": "object", "additionalProperties": false,
        "anyOf": [{"required": ["type"]}, {"required": ["enum"]}],
        "properties": {
          "type": {"$ref": "#/components/schemas/FormPropertyType", "description": "May be left out of an enum of strings."},
          "title": {"$ref": "#/components/schemas/Label"},
          "description": {"$ref": "#/components/schemas/Message"},
          "enum": {"type": "array", "minItems": 1, "maxItems": 256, "uniqueItems": true, "items": {"type": ["string", "number"]}},
          "minLength": {"description": "In Unicode code points.", "type": "integer", "minimum": 0},
          "maxLength": {"description": "In Unicode code points.", "type": "integer", "minimum": 0},
          "minimum": {"type": "number"},
          "maximum": {"type": "number"},
          "pattern": {
            "description": "A regular expression that must match somewhere in the text; at most 256 bytes, and 1000 states with its counts written out. It takes what JSON Schema Core, section 6.4, recommends, groups that do not capture and the escapes \\d, \\w, \\s, \\D, \\W, \\S, \\t, \\n, \\r and \\uXXXX. An answer may have 16384 characters in all fields with a pattern together.",
            "type": "string", "maxLength": 256
          },
          "format": {"description": "A secret: hidden while it is typed, and never stored.", "const": "password"},
          "default": {"description": "What the field starts with; it must fit the rest, and have at most 256 bytes where there is a pattern.", "type": ["string", "number", "boolean"]}
        }
      }
    }
    """#
}
