// The response of `GET /v1/presentations/{id}/prompt`.

extension PromptDescription: Record {
  package static var schemaName: String { "Prompt" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    heading = try f("heading", \.heading)
    isHeadingVisible = try f("isHeadingVisible", \.isHeadingVisible, "False for a dialog that hides its title.")
    blocks = try f("blocks", \.blocks, "The content below the heading, as it is drawn.")
    paragraphs = try f("paragraphs", \.paragraphs, "The same as plain text: Markdown as it was written, code below its label.")
    payload = try f(orNull: "payload", \.payload, "The payload of a sheet that accepts any JSON, otherwise null.")
    buttons = try f("buttons", \.buttons)
    fields = try f("fields", \.fields)
    takesAnyJSON = try f("takesAnyJSON", \.takesAnyJSON, "Whether any JSON value is an answer.")
    submitLabel = try f(
      orNull: "submitLabel", \.submitLabel,
      "Label of the button that sends the fields or the JSON; null with buttons, or if the prompt has no answer and is only closed."
    )
    closing = try f("closing", \.closing, "The meaning of closing it without an answer.")
    isDismissDisabled = try f("isDismissDisabled", \.isDismissDisabled, "Whether it cannot be closed without an answer.")
    severity = try f("severity", \.severity)
    asker = try f("asker", \.asker, "Who asks: facts from the kernel first, then the program's own claims.")
    brief = try f(
      "brief", \.brief,
      "The requester in one line, from the kernel's facts: ada · claude-code in ~/shop · bash ← tmux. A name that fits none of its programs, or cannot be verified, comes last."
    )
    oddities = try f(
      "oddities", \.oddities,
      "Cautions about the prompt: another user, a program that cannot be seen, a remembered answer that does not cover it."
    )
    remembering = try f(
      orNull: "remember", \.remembering,
      "How the answer can be remembered, in words made from the act and the kernel's facts; null if it cannot.")
  }
}

extension PromptDescription.Button: Record {
  package static var schemaName: String { "PromptButton" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id, "", .schema("Name"))
    label = try f("label", \.label, "", .schema("Label"))
    role = try f(orNull: "role", \.role)
    key = try f(orNull: "key", \.key, "The digit that presses it.")
    isDefault = try f("isDefault", \.isDefault, "Whether Enter presses it.")
  }
}

extension PromptDescription.Field: Record {
  package static var schemaName: String { "PromptField" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    name = try f("name", \.name)
    label = try f("label", \.label)
    description = try f(orNull: "description", \.description)
    control = try f("control", \.control)
    choices = try f("choices", \.choices, "The choices, as they are typed.")
    choiceLabels = try f("choiceLabels", \.choiceLabels, "The text of each choice for display.")
    isRequired = try f("isRequired", \.isRequired)
    hint = try f(orNull: "hint", \.hint, "Accepted input, in words.")
    start = try f("start", \.start, "Initial text; for multipleChoice, a JSON array.")
  }
}

extension PromptDescription.Closing: Record {
  package static var ignoresUnknown: Bool { true }
  package static var schemaName: String { "PromptClosing" }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    self = try f("action", Action.init).closing
    _ = try f("label", \.label)
  }

  /// A separate type, since the button's own part is the whole object.
  private struct Action: JSONName {
    static var allCases: [Self] { PromptDescription.Closing.allCases.map(Self.init) }

    let closing: PromptDescription.Closing
    var rawValue: String { closing.rawValue }

    init(_ closing: PromptDescription.Closing) { self.closing = closing }

    init?(rawValue: String) {
      guard let closing = PromptDescription.Closing(rawValue: rawValue) else { return nil }
      self.closing = closing
    }
  }
}

extension PromptDescription.Fact: Record {
  package static var schemaName: String { "PromptFact" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    label = try f("label", \.label)
    text = try f("text", \.text)
    isOwnWord = try f("isOwnWord", \.isOwnWord)
  }
}

extension PromptDescription.Block: Record {
  package static var schemaName: String { "TextBlock" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    kind = try f("kind", \.kind)
    level = try f("level", \.level, "How deep an item is nested.")
    label = try f(orNull: "label", \.label, "An item's marker, or the heading of code.")
    runs = try f("runs", \.runs)
    isQuoted = try f(
      "isQuoted", default: false, \.isQuoted,
      "Whether it is only the requester's statement about an attachment: presenters fold and quote it.")
  }
}

extension PromptDescription.Run: Record {
  package static var schemaName: String { "TextRun" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    text = try f("text", \.text)
    styles = try f("styles", \.styles, "mark: stands for a character that cannot be seen. risk: deserves a second look.")
  }
}

extension PromptDescription.Remembering: Record {
  package static var schemaName: String { "PromptRemembering" }
  package static var about: String {
    "How the answer can be remembered, in words made from the act and the kernel's facts; null if it cannot."
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    buttons = try f(
      "buttons", \.buttons, "Ids of the buttons whose answer can be remembered.", ["type": "array", "items": .schema("Name")])
    widths = try f("match", \.widths)
    periods = try f("for", \.periods)
    habit = try f("habit", \.habit, "The answer that equal acts got three times or more within a week. Absent without one.")
  }
}

extension PromptDescription.Remembering.Width: Record {
  package static var schemaName: String { "PromptRememberWidth" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    value = try f.inline(\.value)
    label = try f("label", \.label)
    always = try f("always", \.always, "What always covers, and what it is bound to. Absent if it is not offered.")
  }
}

extension PromptDescription.Remembering.Period: Record {
  package static var schemaName: String { "PromptRememberPeriod" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    value = try f("for", \.value)
    label = try f("label", \.label)
  }
}
