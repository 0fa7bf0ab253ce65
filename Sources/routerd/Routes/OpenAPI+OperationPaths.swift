extension OpenAPI {
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
      "/metrics": {
        "get": {
          "operationId": "metrics", "x-roles": ["admin"], "tags": ["operations"],
          "summary": "The daemon's figures for Prometheus.",
          "responses": {
            "200": {"description": "Prometheus' text format.", "content": {"text/plain": {"schema": {"type": "string"}}}},
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
