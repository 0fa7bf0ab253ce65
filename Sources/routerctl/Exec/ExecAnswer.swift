import OrderedCollections
import Router

/// What a command's end and output mean as an answer.
enum ExecAnswer {
  /// - Throws: ``ExecFailure`` that says why there is no answer.
  static func response(_ result: ShellCommand.Result, to request: PresentationRequest) throws(ExecFailure) -> PresenterResponse
  {
    if result.status == 1 { return .dismiss }
    guard result.status == 0 else {
      let errors = String(decoding: result.errors, as: UTF8.self)
      let line = errors.split(whereSeparator: \.isNewline).first.map(String.init)
      throw ExecFailure(line ?? "the presenter's command ended with status \(result.status)")
    }
    guard result.output.count <= ShellCommand.maximumOutput else { throw ExecFailure("the presenter's command wrote too much") }
    let text = String(decoding: result.output, as: UTF8.self).trimmingWhiteSpace
    if text.isEmpty { return .dismiss }
    if request.buttons.contains(where: { $0.id == text }) { return .answer(.button(text)) }
    guard let json = try? JSONValue(parsing: text), let members = json.object, members.count == 1,
      let (name, value) = members.elements.first
    else { throw ExecFailure(notUnderstood) }
    switch (name, value) {
    case ("button", .string(let id)): return .answer(.button(id))
    case ("value", let value): return .answer(.value(value))
    case ("dismiss", true): return .dismiss
    default: throw ExecFailure(notUnderstood)
    }
  }

  private static let notUnderstood = "the presenter's command wrote neither a button's id nor an answer in JSON"
}

/// Why a command could not present. It goes on record, so it is text that may stand there.
struct ExecFailure: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description.escapedForTerminal().cut(to: 1000)
  }
}
