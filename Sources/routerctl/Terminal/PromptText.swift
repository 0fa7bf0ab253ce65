import Router

/// Formats a presentation for a terminal that can only append lines. Each line of the requester's text is prefixed with a bar,
/// so that it cannot imitate the lines that name the requester.
struct PromptText {
  /// More lines than these push out of sight who asks, so that it is said again below.
  static let maximumLines = 24

  let prompt: PromptDescription
  let surface: String
  let waiting: Int
  let style: OutputStyle

  init(_ presentation: Presentation, request: PresentationRequest, waiting: Int, style: OutputStyle) {
    prompt = PromptDescription(request, asker: PromptDescription(presentation).asker)
    surface = request.surface
    self.waiting = waiting
    self.style = style
  }

  var lines: [String] {
    let text = style.text(of: prompt)
    let head = [style.rule(surface.escapedForTerminal(), waiting.waitingText)] + asker + [style.rule("")]
    return head + text + (text.count > Self.maximumLines ? head : [])
  }

  private var asker: [String] {
    prompt.asker.flatMap { fact in
      // A path is untrusted text, too: indent it where it wraps.
      fact.text.escapedForTerminal().wrapped(to: style.bandRoom).enumerated().map { style.band($0 == 0 ? fact.label : "", $1) }
    }
  }

  var buttons: [String] {
    prompt.buttons.enumerated().map { index, button in
      let label = button.label.escapedForTerminal().cut(to: style.width - 24)
      let number = "  \(index + 1)  "
      return switch button.role {
      case .destructive: number + style.text(label, .red, .bold) + style.text("  (destructive)", .red)
      case .cancel: number + label + style.text("  (cancel)", .dim)
      case nil: number + style.text(label, .bold)
      }
    }
  }

  func lines(before field: PromptDescription.Field) -> [String] {
    let choices = field.choices.enumerated().map { index, choice in
      "  \(index + 1)  " + choice.escapedForTerminal().cut(to: style.width - 20)
    }
    return (field.description.map { style.quoted($0, .dim) } ?? []) + choices
  }

  /// Returns a field's question: the label, the accepted input, and in brackets the value that Enter gives.
  func question(_ field: PromptDescription.Field) -> String {
    var hints: [String] = []
    if field.control == .choice { hints.append("a number") } else if field.control == .toggle { hints.append("y/n") }
    if field.start.isEmpty { hints.append(field.isRequired ? "required" : "may be left empty") }
    if let hint = field.hint { hints.append(hint.escapedForTerminal().cut(to: style.width)) }
    var question = "  " + style.text(field.label.escapedForTerminal().cut(to: style.width / 2), .bold)
    if !hints.isEmpty { question += style.text(" (\(hints.joined(separator: ", ")))", .dim) }
    switch field.control {
    case _ where field.start.isEmpty: break
    case .secret: question += " [as set]"
    case .toggle: question += field.start == "true" ? " [y]" : " [n]"
    default: question += " [\(field.start.escapedForTerminal().cut(to: style.width / 3))]"
    }
    return question + ": "
  }
}
