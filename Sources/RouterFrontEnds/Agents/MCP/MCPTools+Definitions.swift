import FoundationEssentials
import Router

extension MCPTools {
  /// The result of `tools/list`, without output schemas: Claude Code rejects structured content from a permission tool.
  static let definitions: [JSONValue] = [
    [
      "name": "confirm", "title": "Ask yes or no",
      "description": "Asks the user at this machine a yes-or-no question and waits. Returns yes or no.",
      "inputSchema": schema(
        [
          ("question", "The question, in one line."),
          ("details", "What the user should know to answer it."),
          ("yes", "The label of the button for yes (default: Yes)."),
          ("no", "The label of the button for no (default: No)."),
        ], more: [("destructive", ["type": "boolean", "description": "Whether yes cannot be undone."])], required: ["question"]),
    ],
    [
      "name": "choose", "title": "Ask for one of several options",
      "description": "Asks the user to pick one of several options. Returns the option, or \"none of these\".",
      "inputSchema": schema(
        [
          ("question", "The question, in one line."),
          ("details", "What the user should know to choose."),
        ],
        more: [
          (
            "options",
            [
              "type": "array", "items": ["type": "string"], "minItems": 2, "maxItems": 63,
              "description": "The options, each a short label.",
            ]
          )
        ], required: ["question", "options"]),
    ],
    [
      "name": "form", "title": "Ask for a few values",
      "description": """
      Shows the user a form and returns what they filled in as JSON. Forms that ask for passwords or other secrets are \
      rejected: use secret.
      """,
      "inputSchema": schema(
        [
          ("question", "The form's title, in one line."),
          ("details", "What the user should know to fill it in."),
        ],
        more: [
          (
            "schema",
            [
              "type": "object",
              "description": """
              A flat JSON Schema of type object. Its properties are strings, numbers, integers, booleans, enumerations (enum, \
              or oneOf with const and title) or arrays to choose several from (items with enum, or anyOf with const and title), \
              with title, description, default, minLength, maxLength, minimum, maximum, minItems, maxItems, pattern or format.
              """,
            ]
          )
        ], required: ["question", "schema"]),
    ],
    [
      "name": "secret", "title": "Ask for a password or another secret",
      "description": """
      Asks the user for a secret, such as an API key, and saves it to a new file that only the user can read. Returns the file's \
      path, never the secret. Pass the path to commands, and delete the file afterward.
      """,
      "inputSchema": schema(
        [
          ("question", "What the secret is, in one line."),
          ("details", "What it is for, and where the user finds it."),
        ], required: ["question"]),
    ],
    [
      "name": "approve", "title": "Ask whether a tool may run",
      "description": """
      For Claude Code's --permission-prompt-tool only: shows the user what a tool would do and returns the decision. Do not \
      call it yourself.
      """,
      "inputSchema": [
        "type": "object",
        "properties": [
          "tool_name": ["type": "string"], "input": ["type": "object"], "tool_use_id": ["type": "string"],
        ],
        "required": ["tool_name", "input"],
      ],
    ],
  ]

  private static func schema(
    _ texts: [(String, String)], more: [(String, JSONValue)] = [], required: [JSONValue]
  ) -> JSONValue {
    let properties = texts.map { name, text in
      (name, ["type": "string", "description": .string(text)] as JSONValue)
    }
    return ["type": "object", "properties": .members(properties + more), "required": .array(required)]
  }

  static var directory: String { FileManager.default.currentDirectoryPath }
}
