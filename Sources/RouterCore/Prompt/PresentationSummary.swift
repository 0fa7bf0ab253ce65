/// A presentation in one line of a list: its title, and the command if the title does not contain it.
package struct PresentationSummary: Sendable, Hashable {
  package var title: String
  /// The first line of the command; `nil` if there is none, or if the title contains it.
  package var command: String?

  package init(_ request: PresentationRequest) {
    title = request.heading
    let text = request.act?.text ?? request.attachments.first { $0.kind == .command }?.text ?? ""
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    // A title may give a file relative to the act's directory.
    let place = (request.act?.directory).map { $0 + "/" }
    let relative = place.flatMap { line.hasPrefix($0) ? line.dropFirst($0.count) : nil }
    // A title may contain a long command in shortened form.
    if !line.isEmpty, ![line, relative ?? line].contains(where: { title.contains($0.prefix(12)) }) { command = String(line) }
  }

  package var text: String { command.map { "\(title) · \($0)" } ?? title }
}
