extension OpenAPI {
  /// The parameters of every query of the log, without the brackets of their array.
  static let logFilters = #"""
            {
              "name": "since", "in": "query", "description": "Asked for at or after.",
              "schema": {"type": "string", "format": "date-time"}
            },
            {
              "name": "until", "in": "query", "description": "Asked for before.",
              "schema": {"type": "string", "format": "date-time"}
            },
            {
              "name": "id", "in": "query", "explode": false,
              "schema": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/PresentationID"}}
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
              "description": "What stands in the title, the message, the sheet's name or the answer: words, all of them, in any order and case; `begin*`; `\"two words\"` in this order; `*art` for any part of the text. What has no letter and no digit is no word, and a quotation mark must be closed.",
              "schema": {"type": "string", "minLength": 1}
            }
    """#
}
