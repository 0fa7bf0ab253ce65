/// A presentation in one line of a list: its title, and the command if the title does not contain it.
package struct PresentationSummary: Sendable, Hashable {
  package var title: String
  /// The first line of the command; `nil` if there is none, or if the title contains it.
  package var command: String?

  package init(_ request: PresentationRequest) {
    title = request.heading
    let text = request.attachments.first { $0.kind == .command }?.text ?? request.act?.object ?? request.act?.commandLine ?? ""
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    // A long command is cut in the title.
    if !line.isEmpty, !title.contains(line.prefix(12)) { command = String(line) }
  }

  package var text: String { command.map { "\(title) · \($0)" } ?? title }
}
