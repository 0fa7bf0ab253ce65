extension OpenAPI {
  static let promptPaths = #"""
    {
      "/v1/presentations/{id}/prompt": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "get": {
          "operationId": "prompt", "x-roles": ["present"], "tags": ["presenting"],
          "summary": "Says how an open presentation reads to a person.",
          "description": "Labels, order, keys and who asks, as the terminal and the page show them.",
          "responses": {
            "200": {
              "description": "The description.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/PromptReply"}}}
            },
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/presentations/{id}/check": {
        "parameters": [{"$ref": "#/components/parameters/id"}],
        "post": {
          "operationId": "check", "x-roles": ["present"], "tags": ["presenting"],
          "summary": "Says whether what is being typed into a form fits; nothing changes, and nothing is recorded.",
          "requestBody": {
            "required": true,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TypedForm"}}}
          },
          "responses": {
            "200": {
              "description": "What is wrong, or the answer.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CheckedForm"}}}
            },
            "400": {"$ref": "#/components/responses/Invalid"},
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "413": {"$ref": "#/components/responses/TooLarge"},
            "422": {"$ref": "#/components/responses/Impossible"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      },
      "/v1/web/link": {
        "post": {
          "operationId": "webLink", "x-roles": ["present", "audit"], "tags": ["presenting"],
          "summary": "Makes a link that lets one browser into the page, once.",
          "description": "The page may do what the caller may do at the moment of each of its calls. 404 where no page is served.",
          "responses": {
            "200": {
              "description": "The link.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WebLink"}}}
            },
            "403": {"$ref": "#/components/responses/Forbidden"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "500": {"$ref": "#/components/responses/Defect"}
          }
        }
      }
    }
    """#

  static let promptSchemas = #"""
    {
      "PromptReply": {
        "type": "object", "required": ["id", "generation", "prompt", "timeLeft"],
        "properties": {
          "id": {"$ref": "#/components/schemas/PresentationID"},
          "generation": {"type": "integer", "minimum": 0},
          "prompt": {"$ref": "#/components/schemas/Prompt"},
          "timeLeft": {"description": "In how many seconds it expires.", "type": ["number", "null"], "minimum": 0}
        }
      },
      "Prompt": {
        "type": "object",
        "required": [
          "heading", "isHeadingVisible", "paragraphs", "payload", "buttons", "fields", "takesAnyJSON", "closing", "asker"
        ],
        "properties": {
          "heading": {"type": "string"},
          "isHeadingVisible": {"description": "False for a dialog that hides its title.", "type": "boolean"},
          "paragraphs": {"type": "array", "items": {"type": "string"}},
          "payload": {"description": "A sheet's payload where it has no form, else null."},
          "buttons": {"type": "array", "items": {"$ref": "#/components/schemas/PromptButton"}},
          "fields": {"type": "array", "items": {"$ref": "#/components/schemas/PromptField"}},
          "takesAnyJSON": {"description": "Whether any JSON value is an answer.", "type": "boolean"},
          "closing": {
            "description": "What it means to close it without an answer.",
            "type": "object", "required": ["action", "label"],
            "properties": {"action": {"$ref": "#/components/schemas/PromptClosing"}, "label": {"type": "string"}}
          },
          "asker": {
            "description": "Who asks: the kernel's word first, then the program's own.",
            "type": "array",
            "items": {
              "type": "object", "required": ["label", "text", "isOwnWord"],
              "properties": {"label": {"type": "string"}, "text": {"type": "string"}, "isOwnWord": {"type": "boolean"}}
            }
          }
        }
      },
      "PromptClosing": {"type": "string", "enum": ["dismiss", "back", "leave"]},
      "PromptButton": {
        "type": "object", "required": ["id", "label", "role", "key", "isDefault"],
        "properties": {
          "id": {"$ref": "#/components/schemas/Name"},
          "label": {"$ref": "#/components/schemas/Label"},
          "role": {"anyOf": [{"$ref": "#/components/schemas/ButtonRole"}, {"type": "null"}]},
          "key": {"description": "The digit that presses it.", "type": ["string", "null"]},
          "isDefault": {"description": "Whether Enter presses it.", "type": "boolean"}
        }
      },
      "PromptControl": {"type": "string", "enum": ["text", "secret", "number", "toggle", "choice"]},
      "PromptField": {
        "type": "object",
        "required": ["name", "label", "description", "control", "choices", "isRequired", "hint", "start"],
        "properties": {
          "name": {"type": "string"},
          "label": {"type": "string"},
          "description": {"type": ["string", "null"]},
          "control": {"$ref": "#/components/schemas/PromptControl"},
          "choices": {"type": "array", "items": {"type": "string"}},
          "isRequired": {"type": "boolean"},
          "hint": {"description": "What it takes, in words.", "type": ["string", "null"]},
          "start": {"description": "What it starts with, as it would be typed.", "type": "string"}
        }
      },
      "TypedForm": {
        "type": "object", "additionalProperties": false, "required": ["fields"],
        "properties": {
          "fields": {
            "description": "What is in each field, as it was typed; a field that is left out is empty.",
            "type": "object", "additionalProperties": {"type": "string"}
          }
        }
      },
      "CheckedForm": {
        "type": "object", "required": ["answer", "problems"],
        "properties": {
          "answer": {
            "description": "The value as JSON text, for the body of answer; null while something is wrong.",
            "type": ["string", "null"]
          },
          "problems": {
            "description": "What is wrong, by field, in the form's order.",
            "type": "object", "additionalProperties": {"type": "string"}
          }
        }
      },
      "WebLink": {
        "type": "object", "required": ["url", "lifetime"],
        "properties": {
          "url": {"type": "string", "format": "uri"},
          "lifetime": {"description": "For how many seconds it can be opened.", "type": "number", "minimum": 0}
        }
      }
    }
    """#
}
