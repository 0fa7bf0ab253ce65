import OrderedCollections
import Router

/// The meaning of a command's exit status and output. Any status except 0 is a failure, because crashed programs also exit with
/// 1.
enum ExecAnswer: Sendable, Hashable {
  case response(PresenterResponse)
  /// A form's input as typed, by field name.
  case typed(OrderedDictionary<String, String>)

  init(_ result: ShellCommand.Result, to request: PresentationRequest) throws(ExecFailure) {
    guard result.status == 0 else {
      let errors = String(decoding: result.errors, as: UTF8.self)
      let line = errors.lines.first { !$0.isEmpty }.map { String($0) }
      throw ExecFailure(line ?? "the presenter's --exec command exited with status \(result.status)")
    }
    guard result.output.count <= ShellCommand.maximumOutput else {
      throw ExecFailure("the presenter's --exec command printed more than \(ShellCommand.maximumOutput) bytes")
    }
    let text = String(decoding: result.output, as: UTF8.self).trimmingWhiteSpace
    if text.isEmpty {
      self = .response(.dismiss)
      return
    }
    if request.buttons.contains(where: { $0.id.isSame(as: text) }) {
      self = .response(.answer(.button(text)))
      return
    }
    guard let json = try? JSONValue(parsing: text), var members = json.object else { throw ExecFailure(Self.notUnderstood) }
    var comment: String?
    if members["typed"] == nil, let text = members["comment"]?.string {
      comment = text
      members["comment"] = nil
    }
    var remember: GrantChoice?
    if members["button"] != nil, let choice = members.removeValue(forKey: "remember") {
      do { remember = try GrantChoice(json: choice, at: "/remember") } catch {
        throw ExecFailure("the presenter's --exec command printed an invalid answer: \(error)")
      }
    }
    guard members.count == 1, let (name, value) = members.elements.first else { throw ExecFailure(Self.notUnderstood) }
    switch (name, value) {
    case ("button", .string(let id)):
      var response = PresenterResponse.answer(.button(id), comment: comment)
      response.extra.remember = remember
      self = .response(response)
    case ("value", let value): self = .response(.answer(.value(value), comment: comment))
    case ("snooze", .number(let seconds)) where (0...86_400).contains(seconds.double):
      self = .response(.snooze(for: .milliseconds(Int64(seconds.double * 1000))))
    case ("dismiss", true): self = .response(.dismiss(comment: comment))
    case ("typed", .object(let fields)):
      let texts = fields.compactMapValues(\.string)
      guard texts.count == fields.count else { throw ExecFailure(Self.notUnderstood) }
      self = .typed(texts)
    default: throw ExecFailure(Self.notUnderstood)
    }
  }

  private static let notUnderstood = """
    the presenter's --exec command printed an invalid answer: expected a button's id, or JSON with one of the members button, \
    value, typed, dismiss and snooze
    """
}

/// The reason why a command could not present. The text is escaped and truncated, because it is recorded in the log.
struct ExecFailure: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description.escapedForTerminal().cut(to: 1000)
  }
}
