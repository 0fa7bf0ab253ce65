package import RouterCore
import RouterSystem

/// Formats a presentation for a terminal that can only append lines. Each line of the requester's text is prefixed with a bar,
/// so that it cannot imitate the lines that name the requester.
package struct PromptText {
  /// The number of lines above which the requester scrolls out of view, so that it is repeated below.
  package static let maximumLines = 24

  package let prompt: PromptDescription
  private let request: PresentationRequest
  package let surface: String
  package let waiting: Int
  package let style: OutputStyle

  package init(_ presentation: Presentation, request: PresentationRequest, waiting: Int, style: OutputStyle) {
    prompt = PromptDescription(request, asker: PromptDescription(presentation).asker)
    self.request = request
    surface = request.surface
    self.waiting = waiting
    self.style = style
  }

  package var lines: [String] {
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

  package var buttons: [String] {
    prompt.buttons.enumerated().map { index, button in
      let label = button.label.escapedForTerminal().cut(to: style.width - 24)
      let number = "  \(index + 1)  "
      let isChosen = request.buttons[index].isDefault && prompt.buttons.count > 1
      let note = isChosen ? style.text("  (default)", .dim) : ""
      return switch button.role {
      case .destructive: number + style.text(label, .red, .bold) + style.text("  (destructive)", .red) + note
      case .cancel: number + label + style.text("  (cancel)", .dim) + note
      case nil: number + style.text(label, .bold) + note
      }
    }
  }

  package func lines(before field: PromptDescription.Field) -> [String] {
    let choices = field.choiceLabels.enumerated().map { index, choice in
      "  \(index + 1)  " + choice.escapedForTerminal().cut(to: style.width - 20)
    }
    return (field.description.map { style.quoted($0, .dim) } ?? []) + choices
  }

  /// Returns a field's question: the label, the accepted input, and in brackets the value that Enter gives.
  package func question(_ field: PromptDescription.Field) -> String {
    var hints: [String] = []
    switch field.control {
    case .choice: hints.append("a number")
    case .multipleChoice: hints.append(field.start.isEmpty ? "numbers" : "numbers, or 0 for none")
    case .toggle: hints.append("y/n")
    case .text, .secret, .number: break
    }
    if field.start.isEmpty { hints.append(field.isRequired ? "required" : "optional") }
    if let hint = field.hint { hints.append(hint.escapedForTerminal().cut(to: style.width)) }
    var question = "  " + style.text(field.label.escapedForTerminal().cut(to: style.width / 2), .bold)
    if !hints.isEmpty { question += style.text(" (\(hints.joined(separator: ", ")))", .dim) }
    switch field.control {
    case _ where field.start.isEmpty: break
    case .secret: question += " [unchanged]"
    case .toggle: question += field.start == "true" ? " [y]" : " [n]"
    default: question += " [\(field.startLabel.escapedForTerminal().cut(to: style.width / 3))]"
    }
    return question + ": "
  }
}

extension Int {
  /// The number of queued prompts, as shown in the rule above a prompt.
  package var waitingText: String { self == 0 ? "" : "\(self) queued" }
}
