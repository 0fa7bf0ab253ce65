import Router

/// How a presentation looks on a terminal.
///
/// What the requester wrote stands behind a bar, on every line, and never reaches a line's first column; rules and the line
/// that says who asks are the terminal's own. So no title can imitate them, however long it is.
struct PromptText {
  /// More lines than these would push out of sight who asks.
  static let maximumLines = 24

  let presentation: Presentation
  let waiting: Int
  let style: OutputStyle
  /// Names of users, looked up by the caller.
  var user: (UInt32) -> String? = { _ in nil }

  private var request: PresentationRequest { presentation.request }

  /// All lines before the first question to the person.
  var lines: [String] {
    let count = waiting == 0 ? "" : waiting == 1 ? "1 waits" : "\(waiting) wait"
    return [style.rule(request.surface.escapedForTerminal(), count)] + text + [style.rule("")] + whoAsks
  }

  /// The kernel's word beside the app's own.
  private var whoAsks: [String] {
    let process = presentation.requester.process
    let name = user(process.uid).map { "\($0.escapedForTerminal()) (uid \(process.uid))" } ?? "uid \(process.uid)"
    let executable = process.executable?.escapedForTerminal() ?? "an executable that cannot be seen"
    let app = presentation.requester.app.escapedForTerminal()
    return [
      style.text("asked by ", .dim) + "\(name), pid \(process.pid), \(executable)",
      style.text("in its own words ", .dim) + app,
    ]
  }

  private var text: [String] {
    var lines = quoted(request.heading, .bold)
    for text in [request.message, request.schema?.description].compactMap(\.self) where !text.isEmpty {
      lines += [bar("")] + quoted(text)
    }
    if let payload = request.payload, request.schema == nil { lines += [bar("")] + quoted(payload.description, .dim) }
    guard lines.count > Self.maximumLines else { return lines }
    let rest = lines.count - Self.maximumLines
    return lines.prefix(Self.maximumLines) + [style.text("(\(rest) more lines; routerctl queue --json has all)", .yellow)]
  }

  /// Text of the requester behind the bar.
  func quoted(_ text: String, _ faces: OutputStyle.Face...) -> [String] {
    text.escapedForTerminal(keepsNewlines: true).wrapped(to: style.width - 4).map { line in
      bar(faces.first.map { style.text(line, $0) } ?? line)
    }
  }

  private func bar(_ line: String) -> String { style.text("│", .cyan) + (line.isEmpty ? "" : " " + line) }

  /// The buttons, numbered.
  var buttons: [String] {
    request.buttons.enumerated().map { index, button in
      let label = button.label.escapedForTerminal().cut(to: style.width - 24)
      let number = "  \(index + 1)  "
      return switch button.role {
      case .destructive: number + style.text(label, .red, .bold) + style.text("  (destructive)", .red)
      case .cancel: number + label + style.text("  (cancel)", .dim)
      case nil: number + style.text(label, .bold)
      }
    }
  }

  /// A field's lines before its question.
  func field(_ property: FormProperty) -> [String] {
    var lines: [String] = []
    if let description = property.description { lines += quoted(description, .dim) }
    for (index, choice) in (property.choices ?? []).enumerated() {
      let text = (choice.string ?? choice.description).escapedForTerminal().cut(to: style.width - 20)
      lines.append("  \(index + 1)  " + text)
    }
    return lines
  }

  /// A field's question: label, what it takes, and in brackets what Enter gives.
  func question(_ property: FormProperty) -> String {
    let label = property.label.escapedForTerminal().cut(to: style.width / 2)
    var hints: [String] = []
    if property.choices != nil { hints.append("a number") } else if property.kind == .boolean { hints.append("y/n") }
    hints.append(property.isRequired ? "required" : "may be left empty")
    var question = "  " + style.text(label, .bold) + style.text(" (\(hints.joined(separator: ", ")))", .dim)
    if let value = property.defaultValue, !property.isSecret {
      let text = property.kind == .boolean ? (value.bool == true ? "y" : "n") : value.string ?? value.description
      question += " [\(text.escapedForTerminal().cut(to: style.width / 3))]"
    } else if property.defaultValue != nil {
      question += " [as set]"
    }
    return question + ": "
  }
}
