extension PresentationRequest {
  /// A request and the decoder of its answer, for Router's own use.
  public struct Typed<Answer: Sendable>: Sendable {
    /// The request's description in errors, such as `the sheet settings`.
    package let what: String
    package let request: @Sendable () throws -> PresentationRequest
    /// Decodes an answer; `nil` means a dismissal.
    package let read: @Sendable (PresentationAnswer) throws -> Answer?
    /// The answer for a dismissal, if a dismissal counts as an answer.
    var closed: Answer?

    /// Returns the answer of an ended presentation.
    ///
    /// - Throws: ``NoAnswer`` if there is no answer; ``RouterError`` if it cannot be decoded.
    package func answer(from outcome: PresentationOutcome) throws -> Answer {
      switch outcome {
      case .answered(let answer): if let answer = try read(answer) ?? closed { return answer }
      case .dismissed: if let closed { return closed }
      case .cancelled, .expired, .failed: break
      }
      throw NoAnswer(outcome) ?? NoAnswer.dismissed
    }
  }
}

extension PresentationRequest.Typed {
  /// - Parameter name: The description in errors (default: a sheet, or a full-screen cover).
  package init<S: Sheet>(_ sheet: S, as kind: PresentationKind = .sheet, called name: String? = nil) where S.Answer == Answer {
    let what = "\(name ?? (kind == .sheet ? "the sheet" : "the full-screen cover")) \(sheet.sheetName)"
    let form = sheet.form
    self.init(what: what, request: { try PresentationRequest(sheet, form, as: kind) }) { answer in
      Answer.self == Never.self ? nil : try Self.read(answer, of: form, calledBy: what)
    }
  }

  private static func read(
    _ answer: PresentationAnswer, of form: Form<Answer>?, calledBy what: String
  ) throws(RouterError) -> Answer where Answer: Codable {
    guard case .value(let value) = answer else {
      throw RouterError(.invalid, "cannot read the answer to \(what): it is not a value")
    }
    do {
      return try form?.read(value) ?? value.decode(Answer.self)
    } catch let error as JSONError {
      throw RouterError(.invalid, "cannot read the answer to \(what): \(error.message)", field: error.pointer)
    } catch {
      throw RouterError(.invalid, "cannot read the answer to \(what) as \(Answer.self)", cause: error)
    }
  }

  /// Creates a request for a sheet without an answer, which both closing and answering it complete.
  package init<S: Sheet>(closing sheet: S) where S.Answer == Never, Answer == Void {
    self.init(what: "the sheet \(sheet.sheetName)", request: { try PresentationRequest(sheet) }, read: { _ in () }, closed: ())
  }

  /// Creates a request for a screen without an answer. The person continues from it by sending a form, which may be empty.
  package init<S: Sheet>(continuing sheet: S) where S.Answer == Never, Answer == Void {
    self.init(
      what: "the screen \(sheet.sheetName)",
      request: {
        var request = try PresentationRequest(sheet)
        (request.schema, request.hasAnswer) = (request.schema ?? FormSchema(properties: []), true)
        return request
      }, read: { _ in () })
  }

  package init(_ request: PresentationRequest, _ buttons: [ButtonState<Answer>], called what: String) {
    self.init(
      what: what,
      request: {
        let silent = buttons.indices.filter { buttons[$0].action == nil }.map { "\($0 + 1)" }
        guard silent.count < 2 else {
          throw RouterError(
            .invalid,
            "cannot show \(what): its buttons \(silent.joined(separator: " and ")) have no action, so you could not tell which "
              + "was pressed; give all but one an action", field: "/buttons")
        }
        return request
      }, read: buttons.action)
  }
}
