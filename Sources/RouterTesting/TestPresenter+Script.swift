public import Router

extension TestPresenter {
  /// A simulated action of the person on one showing.
  public struct Step: Sendable, Hashable {
    enum Action: Sendable, Hashable {
      case label(String)
      case id(String)
      case answer(JSONValue)
      case dismiss
      case snooze(Duration)
      case fail(String)
      case leave
      case disconnect
    }

    let action: Action

    /// Presses the button with a label, such as `Delete`.
    public static func press(_ label: String) -> Step { Step(action: .label(label)) }

    /// Presses the button with an id, such as `b1`.
    public static func press(id: String) -> Step { Step(action: .id(id)) }

    /// Answers a sheet with a value of its `Answer`, such as `.answer(Cart(books: 2))`. If the value cannot be encoded, the
    /// prompt ends as failed with the reason.
    public static func answer(_ value: some Encodable) -> Step {
      do {
        return .answer(try JSONValue(encoding: value))
      } catch {
        return .fail("cannot encode the answer \(value): \(error)")
      }
    }

    /// Answers a sheet with JSON.
    public static func answer(_ value: JSONValue) -> Step { Step(action: .answer(value)) }

    /// Continues from a screen of a flow without an answer.
    public static let proceed = Step(action: .answer([:]))

    /// Closes the presentation.
    public static let dismiss = Step(action: .dismiss)

    /// Shows the presentation again later.
    public static func snooze(_ duration: Duration) -> Step { Step(action: .snooze(duration)) }

    /// Reports that the presenter cannot show the presentation, with a reason.
    public static func fail(_ detail: String) -> Step { Step(action: .fail(detail)) }

    /// Does nothing.
    public static let leave = Step(action: .leave)

    /// Detaches the presenter permanently.
    public static let disconnect = Step(action: .disconnect)
  }

  /// A script and the current position in it.
  struct Script: Sendable {
    enum Source: Sendable {
      case steps([Step])
      case closure(@Sendable (Presentation) async throws -> Step)
    }

    var source: Source
    /// Whether the script had steps at the start; without any, the test answers.
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
    switch step.action {
    case .label(let label): try await press(label, on: presentation)
    case .id(let id): try await press(id: id, on: presentation)
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
  /// A description for failures, such as `press "Delete"`.
  public var description: String {
    switch action {
    case .label(let label): "press \"\(label)\""
    case .id(let id): "press the button with the id \(id)"
    case .answer(let value): "answer \(value)"
    case .dismiss: "dismiss"
    case .snooze(let duration): "snooze for \(duration)"
    case .fail(let detail): "fail \"\(detail)\""
    case .leave: "leave"
    case .disconnect: "disconnect"
    }
  }
}
