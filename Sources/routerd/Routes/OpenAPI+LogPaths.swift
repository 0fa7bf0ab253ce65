extension OpenAPI {
  static let logPaths = #"""
    {
      "/v1/log": {
        "get": {
          "operationId": "queryLog", "x-roles": ["audit"], "tags": ["log"], "summary": "Queries the record: presentations, the newest first.",
          "description": "Filters combine. Those that take several values take them between commas or by being given several times. With `Accept: application/x-ndjson`, one presentation a line.",
          "parameters": [
            {
              "name": "since", "in": "query", "description": "Asked for at or after.",
              "schema": {"type": "string", "format": "date-time"}
            },
            {
              "name": "until", "in": "query", "description": "Asked for before.",
              "schema": {"type": "string", "format": "date-time"}
            },
            {"name": "app", "in": "query", "explode": false, "schema": {"type": "array", "minItems": 1, "items": {"type": "string"}}},
            {
              "name": "uid", "in": "query", "explode": false,
              "schema": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 0, "maximum": 4294967295}}
            },
            {"name": "surface", "in": "query", "explode": false, "schema": {"type": "array", "minItems": 1, "items": {"type": "string"}}},
            {
              "name": "kind", "in": "query", "explode": false,
              "schema": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/PresentationKind"}}
            },
            {"name": "sheet", "in": "query", "explode": false, "schema": {"type": "array", "minItems": 1, "items": {"type": "string"}}},
            {
              "name": "outcome", "in": "query", "explode": false,
              "schema": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/OutcomeName"}}
            },
            {
              "name": "reason", "in": "query", "explode": false,
              "description": "The reason of cancelled, or the phase of expired.",
              "schema": {
                "type": "array", "minItems": 1,
                "items": {
                  "anyOf": [
                    {"$ref": "#/components/schemas/CancellationReason"}, {"$ref": "#/components/schemas/ExpiryPhase"}
                  ]
                }
              }
            },
            {
              "name": "search", "in": "query",
              "description": "Text that stands somewhere in the title, the message, the sheet's name or the answer; the case of ASCII letters is passed over.",
              "schema": {"type": "string"}
            },
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

  static let operationPaths = #"""
    {
      "/v1/status": {
        "get": {
          "operationId": "status", "x-roles": ["admin"], "tags": ["operations"], "summary": "Says how the daemon is.",
          "responses": {
            "200": {
              "description": "The status.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}
            },
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/healthz": {
        "get": {
          "operationId": "health", "tags": ["operations"], "summary": "Says that the daemon is ready.",
          "responses": {
            "200": {
              "description": "It is.",
              "content": {
                "application/json": {
                  "schema": {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}}
                }
              }
            }
          }
        }
      },
      "/openapi.json": {
        "get": {
          "operationId": "describe", "tags": ["operations"], "summary": "This description.",
          "responses": {
            "200": {"description": "OpenAPI 3.1.", "content": {"application/json": {"schema": {"type": "object"}}}}
          }
        }
      }
    }
    """#
}
