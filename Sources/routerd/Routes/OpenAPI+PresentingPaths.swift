extension OpenAPI {
  static let presentingPaths = #"""
    {
      "/v1/presentations/{id}/answer": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "post": {
          "operationId": "answer", "x-roles": ["present"], "tags": ["presenting"], "summary": "Answers what is shown.",
          "description": "The response comes when the answer is durable; what is part of a flow is presented again then. 422 if it is none of the buttons, or does not fit the schema.",
          "requestBody": {
            "required": true,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AnswerBody"}}}
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
      },
      "/v1/presentations/{id}/dismiss": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "post": {
          "operationId": "dismiss", "x-roles": ["present"], "tags": ["presenting"], "summary": "Closes it without an answer.",
          "requestBody": {
            "description": "An empty body is as good as {}.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DismissBody"}}}
          },
          "responses": {
            "200": {"$ref": "#/components/responses/Presentation"},
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "409": {"$ref": "#/components/responses/Conflict"},
            "413": {"$ref": "#/components/responses/TooLarge"},
            "500": {"$ref": "#/components/responses/Defect"},
            "503": {"$ref": "#/components/responses/Unavailable"}
          }
        }
      },
      "/v1/presentations/{id}/fail": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "post": {
          "operationId": "fail", "x-roles": ["present"], "tags": ["presenting"], "summary": "Says that it cannot be shown.",
          "requestBody": {
            "description": "An empty body is as good as {}.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/FailBody"}}}
          },
          "responses": {
            "200": {"$ref": "#/components/responses/Presentation"},
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "409": {"$ref": "#/components/responses/Conflict"},
            "413": {"$ref": "#/components/responses/TooLarge"},
            "500": {"$ref": "#/components/responses/Defect"},
            "503": {"$ref": "#/components/responses/Unavailable"}
          }
        }
      },
      "/v1/surfaces": {
        "get": {
          "operationId": "listSurfaces", "x-roles": ["present"], "tags": ["presenting"],
          "summary": "Lists the surfaces that have something open or somebody who shows.",
          "responses": {
            "200": {
              "description": "The surfaces, by name.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object", "required": ["surfaces"],
                    "properties": {"surfaces": {"type": "array", "items": {"$ref": "#/components/schemas/Surface"}}}
                  }
                }
              }
            },
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/surfaces/{surface}/stream": {
        "get": {
          "operationId": "present", "x-roles": ["present"], "tags": ["presenting"],
          "summary": "Attaches a presenter for as long as the connection lives.",
          "description": "All presenters of a surface see the same presentation, and the first answer wins. A presenter that leaves 256 events unread loses its place. A comment line keeps a quiet stream alive every 15 seconds.",
          "parameters": [
            {
              "name": "surface", "in": "path", "required": true,
              "schema": {"$ref": "#/components/schemas/Name"}
            },
            {
              "name": "name", "in": "query",
              "description": "What the record calls the presenter; the executable's name unless given.",
              "schema": {"$ref": "#/components/schemas/Label"}
            }
          ],
          "responses": {
            "200": {
              "description": "What to show and what to take down, as it happens.",
              "content": {
                "text/event-stream": {
                  "schema": {"type": "string"},
                  "x-events": {
                    "present": {"$ref": "#/components/schemas/PresentEvent"},
                    "withdraw": {"$ref": "#/components/schemas/WithdrawEvent"},
                    "queue": {"$ref": "#/components/schemas/QueueEvent"}
                  }
                }
              }
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      }
    }
    """#
}
