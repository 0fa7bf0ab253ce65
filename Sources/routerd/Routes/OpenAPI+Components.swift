extension OpenAPI {
  static let parameters = #"""
    {
      "id": {
        "name": "id", "in": "path", "required": true, "description": "A presentation's id.",
        "schema": {"$ref": "#/components/schemas/PresentationID"}
      },
      "preferWait": {
        "name": "Prefer", "in": "header",
        "description": "wait=N waits up to N seconds for the outcome (RFC 7240). Other preferences are passed over.",
        "schema": {"type": "string"}, "example": "wait=30"
      },
      "limit": {
        "name": "limit", "in": "query", "description": "How many at most.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
      },
      "cursor": {
        "name": "cursor", "in": "query", "description": "The member `next` of the page before.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"}
      }
    }
    """#

  static let headers = #"""
    {
      "RetryAfter": {
        "description": "When to try again, in seconds.",
        "schema": {"type": "integer", "minimum": 1}
      }
    }
    """#

  static let responses = #"""
    {
      "Presentation": {
        "description": "The presentation.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Presentation"}}}
      },
      "Invalid": {
        "description": "Not JSON, a wrong type, an unknown field, header or parameter, text that may not be shown. `field` points to the field to blame.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "Forbidden": {
        "description": "The caller has none of the roles in `x-roles`, or (to answer and dismiss) the setting forbidSelfAnswer forbids it. It is on record as accessDenied.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "NotFound": {
        "description": "There is no such presentation.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "Conflict": {
        "description": "It cannot be done to the presentation as it stands; `code` says why: `resolved` (then `outcome` says how), `notPresented`, `covered`, `staleGeneration`, `notAnswered`.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "TooLarge": {
        "description": "The body is over the limit (1 MiB unless configured otherwise). The connection closes.",
        "headers": {"Connection": {"schema": {"const": "close"}}},
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "Impossible": {
        "description": "Well formed, but it cannot be.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "Full": {
        "description": "The surface, the user or the daemon has as many open as are allowed.",
        "headers": {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}},
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "Unavailable": {
        "description": "Nothing has changed. `code` says why: `logUnavailable`, the log cannot be written (with Retry-After); `shuttingDown`, the daemon is going down (the connection closes).",
        "headers": {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}},
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      },
      "Defect": {
        "description": "An error of the daemon's own; its log has more.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      }
    }
    """#
}
