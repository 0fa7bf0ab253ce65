extension PromptDescription {
  /// The description as `GET /v1/presentations/{id}/prompt` has it.
  public var json: JSONValue {
    [
      "heading": .string(heading), "isHeadingVisible": .bool(isHeadingVisible),
      "paragraphs": .array(paragraphs.map(JSONValue.string)), "payload": payload ?? .null,
      "buttons": .array(buttons.map(\.json)), "fields": .array(fields.map(\.json)), "takesAnyJSON": .bool(takesAnyJSON),
      "closing": ["action": .string(closing.rawValue), "label": .string(closing.label)],
      "asker": .array(
        asker.map { ["label": .string($0.label), "text": .string($0.text), "isOwnWord": .bool($0.isOwnWord)] }),
    ]
  }
}

extension PromptDescription.Button {
  var json: JSONValue {
    [
      "id": .string(id), "label": .string(label), "role": .optional(role?.rawValue), "key": .optional(key),
      "isDefault": .bool(isDefault),
    ]
  }
}

extension PromptDescription.Field {
  var json: JSONValue {
    [
      "name": .string(name), "label": .string(label), "description": .optional(description),
      "control": .string(control.rawValue), "choices": .array(choices.map(JSONValue.string)),
      "isRequired": .bool(isRequired), "hint": .optional(hint), "start": .string(start),
    ]
  }
}
