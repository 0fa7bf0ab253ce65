public import Router

extension TestPresenter {
  /// A simulated action of the person on one showing.
  public enum Step: Sendable, Hashable {
    /// Presses the button with this id, such as `b1`.
    case press(String)
    /// Presses the button with this label, such as `Delete`.
    case choose(String)
    /// Answers a sheet with a value.
    case answer(JSONValue)
    /// Closes the presentation.
    case dismiss
    /// Shows the presentation again later.
    case snooze(Duration)
    /// Reports that the presenter cannot show the presentation, with a reason.
    case fail(String)
    /// Does nothing.
    case leave
    /// Detaches the presenter for good.
    case disconnect

    /// Answers a sheet with an encodable value; throws errors of its `encode(to:)`.
    public static func answer(encoding value: some Encodable) throws -> Step {
      .answer(try JSONValue(encoding: value))
    }
  }

  /// A script and the current position in it.
  struct Script: Sendable {
    enum Source: Sendable {
      case steps([Step])
      case closure(@Sendable (Presentation) async throws -> Step)
    }

    var source: Source
    /// Whether there are steps from the start; without any, the test answers.
    let hasSteps: Bool
    var shown: [Presentation] = []
    var refused: [(step: String, error: String)] = []
    /// The last sheet of a flow that was answered.
    var answered: Presentation?

    init(_ source: Source) {
      self.source = source
      hasSteps = if case .steps(let steps) = source { !steps.isEmpty } else { false }
    }

    var unplayed: [Step] {
      switch source {
      case .steps(let steps): steps
      case .closure: []
      }
    }

    /// Whether a flow's sheet is shown only because it was just answered, until its program shows the next screen.
    func isEcho(_ presentation: Presentation) -> Bool {
      answered?.id == presentation.id && answered?.generation == presentation.generation - 1
    }

    mutating func next(for presentation: Presentation) -> @Sendable (Presentation) async throws -> Step? {
      switch source {
      case .closure(let closure): return { try await closure($0) }
      case .steps(var steps):
        guard hasSteps, !isEcho(presentation) else { return { _ in nil } }
        guard !steps.isEmpty else { return { throw ScriptEnd(showing: $0.request.designation) } }
        let step = steps.removeFirst()
        source = .steps(steps)
        return { _ in step }
      }
    }
  }

  private struct ScriptEnd: Error, CustomStringConvertible {
    let showing: String
    var description: String { "the script ends before \(showing)" }
  }

  func carryOut(_ step: Step, on presentation: Presentation) async throws {
    switch step {
    case .press(let button): try await press(button, on: presentation)
    case .choose(let label): try await choose(label, on: presentation)
    case .answer(let value): try await answer(value, on: presentation)
    case .dismiss: try await dismiss(presentation)
    case .snooze(let duration): try await snooze(presentation, for: duration)
    case .fail(let detail): try await fail(presentation, detail: detail)
    case .leave: break
    case .disconnect: disconnect()
    }
  }
}

extension TestPresenter.Step: CustomStringConvertible {
  /// The step for a failure's text, such as `choose "Delete"`.
  public var description: String {
    switch self {
    case .press(let button): "press \(button)"
    case .choose(let label): "choose \"\(label)\""
    case .answer(let value): "answer \(value)"
    case .dismiss: "dismiss"
    case .snooze(let duration): "snooze for \(duration)"
    case .fail(let detail): "fail \"\(detail)\""
    case .leave: "leave"
    case .disconnect: "disconnect"
    }
  }
}
