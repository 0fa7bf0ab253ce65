// The response of `GET /v1/presentations/{id}/prompt`.

extension PromptDescription: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    heading = try f("heading", \.heading)
    isHeadingVisible = try f("isHeadingVisible", \.isHeadingVisible)
    blocks = try f("blocks", \.blocks)
    paragraphs = try f("paragraphs", \.paragraphs)
    payload = try f(orNull: "payload", \.payload)
    buttons = try f("buttons", \.buttons)
    suppressionToggle = try f(orNull: "suppressionToggle", \.suppressionToggle)
    fields = try f("fields", \.fields)
    takesAnyJSON = try f("takesAnyJSON", \.takesAnyJSON)
    closing = try f("closing", \.closing)
    isDismissDisabled = try f("isDismissDisabled", \.isDismissDisabled)
    severity = try f("severity", \.severity)
    asker = try f("asker", \.asker)
    brief = try f("brief", \.brief)
    oddities = try f("oddities", \.oddities)
    remembering = try f(orNull: "remember", \.remembering)
  }
}

extension PromptDescription.Button: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    label = try f("label", \.label)
    role = try f(orNull: "role", \.role)
    key = try f(orNull: "key", \.key)
    isDefault = try f("isDefault", \.isDefault)
  }
}

extension PromptDescription.Field: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    name = try f("name", \.name)
    label = try f("label", \.label)
    description = try f(orNull: "description", \.description)
    control = try f("control", \.control)
    choices = try f("choices", \.choices)
    choiceLabels = try f("choiceLabels", \.choiceLabels)
    isRequired = try f("isRequired", \.isRequired)
    hint = try f(orNull: "hint", \.hint)
    start = try f("start", \.start)
  }
}

extension PromptDescription.Closing: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let action = try f("action", \.rawValue)
    _ = try f("label", \.label)
    guard let closing = Self(rawValue: action) else { throw JSONError("is not known", at: "/action") }
    self = closing
  }
}

extension PromptDescription.Fact: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    label = try f("label", \.label)
    text = try f("text", \.text)
    isOwnWord = try f("isOwnWord", \.isOwnWord)
  }
}

extension PromptDescription.Block: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    kind = try f("kind", \.kind)
    level = try f("level", \.level)
    label = try f(orNull: "label", \.label)
    runs = try f("runs", \.runs)
    isQuoted = try f("isQuoted", default: false, \.isQuoted)
  }
}

extension PromptDescription.Run: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    text = try f("text", \.text)
    styles = try f("styles", \.styles)
  }
}

extension PromptDescription.Remembering: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    buttons = try f("buttons", \.buttons)
    widths = try f("match", \.widths)
    periods = try f("for", \.periods)
  }
}

extension PromptDescription.Remembering.Width: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    value = try f.inline(\.value)
    label = try f("label", \.label)
  }
}

extension PromptDescription.Remembering.Period: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    value = try f("for", \.value)
    label = try f("label", \.label)
  }
}
