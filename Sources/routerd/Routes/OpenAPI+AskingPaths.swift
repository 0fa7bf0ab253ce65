extension OpenAPI {
  static let askingPaths = #"""
    {
      "/v1/presentations": {
        "post": {
          "operationId": "ask", "x-roles": ["request"], "tags": ["asking"], "summary": "Asks.",
          "description": "Attached: the response comes when the presentation has ended, and closing the connection takes it away (cancelled, requesterGone). With `Accept: text/event-stream`, attached and told of its life as it happens. With `Prefer: respond-async` or `wait=0`, detached: it outlives the connection and the daemon. With `Prefer: wait=N`, attached for N seconds, then detached for good. With `flow`, an event stream is needed: each answer comes as an `answered` event, and the presentation stays until it is finished, dismissed or taken away.",
          "parameters": [
            {
              "name": "Prefer", "in": "header",
              "description": "respond-async, or wait=N with a whole number of seconds from 0 to 315360000 (RFC 7240). Not together with an event stream. Other preferences are passed over.",
              "schema": {"type": "string"}, "example": "respond-async"
            },
            {
              "name": "Idempotency-Key", "in": "header",
              "description": "Asks at most once for each key of a user and app. A repeat with the same body joins the presentation, open or resolved; with another body it is refused with 422. After a restart of the daemon an attached presentation with a key waits for its requester to come back, for the grace period. A key whose presentation ended as requesterGone or interrupted is free again.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
            }
          ],
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/PresentationRequest"},
                "example": {
                  "kind": "alert", "title": "Deploy 1.4.2 to production?", "message": "42 commits since the last release.",
                  "buttons": [
                    {"id": "deploy", "label": "Deploy", "role": "destructive"},
                    {"id": "later", "label": "Not now", "role": "cancel"}
                  ],
                  "timeout": 300, "metadata": {"commit": "9f2c1e"}
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "The presentation with its outcome, or its events.",
              "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Presentation"}},
                "text/event-stream": {
                  "schema": {"type": "string"},
                  "x-events": {
                    "queued": {"$ref": "#/components/schemas/QueuedEvent"},
                    "presented": {"$ref": "#/components/schemas/PresentedEvent"},
                    "answered": {"$ref": "#/components/schemas/AnsweredEvent"},
                    "resolved": {"$ref": "#/components/schemas/Presentation"}
                  }
                }
              }
            },
            "202": {
              "description": "The presentation, which is detached now.",
              "headers": {
                "Location": {
                  "description": "Where the presentation is.",
                  "schema": {"type": "string", "format": "uri-reference"}
                },
                "Preference-Applied": {"schema": {"const": "respond-async"}}
              },
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Presentation"}}}
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "413": {"$ref": "#/components/responses/TooLarge"},
            "422": {"$ref": "#/components/responses/Impossible"},
            "429": {"$ref": "#/components/responses/Full"},
            "500": {"$ref": "#/components/responses/Defect"},
            "503": {"$ref": "#/components/responses/Unavailable"}
          }
        },
        "get": {
          "operationId": "listPresentations", "x-roles": ["request", "present"], "tags": ["asking", "presenting"],
          "summary": "Lists what is open, by surface, in the order in which it will be shown.",
          "description": "With the role request, the caller's own; with present, all. A page ends at some 8 MiB, whatever its limit.",
          "parameters": [
            {"name": "surface", "in": "query", "schema": {"type": "string"}},
            {"name": "app", "in": "query", "schema": {"type": "string"}},
            {
              "name": "state", "in": "query", "style": "form", "explode": false,
              "description": "May also be given several times. What is resolved is not open, and so never listed here.",
              "schema": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/PresentationState"}}
            },
            {"$ref": "#/components/parameters/limit"},
            {"$ref": "#/components/parameters/cursor"}
          ],
          "responses": {
            "200": {
              "description": "A page.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/PresentationPage"}}}
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/presentations/{id}": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "get": {
          "operationId": "getPresentation", "x-roles": ["request", "present"], "tags": ["asking", "presenting"], "summary": "Shows one, open or ended.",
          "description": "With the role request, one of the caller's own; with present, any that is open. All others are as if they were not there.",
          "parameters": [{"$ref": "#/components/parameters/preferWait"}],
          "responses": {
            "200": {"$ref": "#/components/responses/Presentation"},
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "500": {"$ref": "#/components/responses/Defect"},
            "503": {"$ref": "#/components/responses/Unavailable"}
          }
        },
        "delete": {
          "operationId": "cancel", "x-roles": ["request"], "tags": ["asking"],
          "summary": "Takes it back: cancelled, requester for the same uid; cancelled, admin for an administrator.",
          "responses": {
            "200": {"$ref": "#/components/responses/Presentation"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "409": {"$ref": "#/components/responses/Conflict"},
            "500": {"$ref": "#/components/responses/Defect"},
            "503": {"$ref": "#/components/responses/Unavailable"}
          }
        }
      },
      "/v1/presentations/{id}/finish": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "post": {
          "operationId": "finish", "x-roles": ["request"], "tags": ["asking"],
          "summary": "Ends a flow, or a screen of it, as answered with its last answer.",
          "description": "For the requester (the same uid), root and the daemon's own user, whatever its state. What is stacked on it ends first, the top first, as cancelled, parentEnded. 409 notAnswered if it has no answer yet; 422 if it is not part of a flow.",
          "requestBody": {
            "description": "An empty body is as good as {}.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/FinishBody"}}}
          },
          "responses": {
            "200": {"$ref": "#/components/responses/Presentation"},
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "409": {"$ref": "#/components/responses/Conflict"},
            "413": {"$ref": "#/components/responses/TooLarge"},
            "422": {"$ref": "#/components/responses/Impossible"},
            "500": {"$ref": "#/components/responses/Defect"},
            "503": {"$ref": "#/components/responses/Unavailable"}
          }
        }
      }
    }
    """#
}
