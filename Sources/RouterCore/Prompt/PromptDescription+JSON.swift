/// The response format of `GET /v1/presentations/{id}/prompt`.
extension PromptDescription: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("heading", heading)
    writer.add("isHeadingVisible", isHeadingVisible)
    writer.add("blocks", blocks)
    writer.add("paragraphs", paragraphs)
    writer.add("payload", payload ?? .null)
    writer.add("buttons", buttons)
    writer.add("suppressionToggle", optional: suppressionToggle)
    writer.add("fields", fields)
    writer.add("takesAnyJSON", takesAnyJSON)
    writer.add("closing", closing)
    writer.add("isDismissDisabled", isDismissDisabled)
    writer.add("severity", severity.rawValue)
    writer.add("asker", asker)
    writer.add("brief", brief)
    writer.add("oddities", oddities)
    writer.add("remember", optional: remembering)
  }
}

extension PromptDescription.Button: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("id", id)
    writer.add("label", label)
    writer.add("role", optional: role?.rawValue)
    writer.add("key", optional: key)
    writer.add("isDefault", isDefault)
  }
}

extension PromptDescription.Field: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("name", name)
    writer.add("label", label)
    writer.add("description", optional: description)
    writer.add("control", control.rawValue)
    writer.add("choices", choices)
    writer.add("choiceLabels", choiceLabels)
    writer.add("isRequired", isRequired)
    writer.add("hint", optional: hint)
    writer.add("start", start)
  }
}

extension PromptDescription.Closing: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("action", rawValue)
    writer.add("label", label)
  }
}

extension PromptDescription.Fact: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("label", label)
    writer.add("text", text)
    writer.add("isOwnWord", isOwnWord)
  }
}
