extension PresentationRequest {
  /// A request and the decoder of its answer.
  package struct Typed<Answer: Sendable>: Sendable {
    /// The description of the request in errors, such as `the sheet settings`.
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
  /// - Parameter name: The description of a sheet in errors (default: a sheet, or a full-screen cover).
  package init<P: Prompt>(_ prompt: P, as kind: PresentationKind = .sheet, called name: String? = nil)
  where P.Answer == Answer {
    let what = prompt.name(as: kind, called: name)
    self.init(what: what, request: { try prompt.request(as: kind) }) { answer in
      do {
        return try prompt.answer(from: answer)
      } catch let error as RouterError {
        throw error
      } catch let error as JSONError {
        throw RouterError(.invalid, "cannot read the answer to \(what): \(error.message)", field: error.pointer)
      } catch {
        throw RouterError(.invalid, "cannot read the answer to \(what) as \(Answer.self)", cause: error)
      }
    }
  }

  /// Creates a request for a sheet without an answer, which is complete when it is closed or answered.
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
}

extension Prompt {
  /// The prompt's description in errors, such as `the sheet settings`.
  package func name(as kind: PresentationKind, called name: String? = nil) -> String {
    switch self {
    case let sheet as any Sheet:
      "\(name ?? (kind == .sheet ? "the sheet" : "the full-screen cover")) \(sheet.sheetName)"
    case is ConfirmationDialogState<Answer>: "the confirmation dialog"
    default: "the alert"
    }
  }
}
