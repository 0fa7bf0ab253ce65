import Router

/// Simulates the person: performs the steps in order, each when its presentation is shown.
actor ScriptedPresenter: Presenter {
  /// One action of the person.
  struct Step {
    /// The heading of the presentation to act on.
    var heading: String
    var action: Action

    enum Action {
      case press(String)
      case answer(any Encodable & Sendable)
      case close
    }

    /// Presses the button with a label.
    static func press(_ label: String, on heading: String) -> Step { Step(heading: heading, action: .press(label)) }

    /// Fills in a sheet.
    static func answer(_ answer: some Encodable & Sendable, on heading: String) -> Step {
      Step(heading: heading, action: .answer(answer))
    }

    /// Continues from a sheet without an answer, in a flow.
    static func proceed(from heading: String) -> Step { .answer(JSONValue.object([:]), on: heading) }

    /// Closes the presentation; in a flow, this goes back.
    static func close(_ heading: String) -> Step { Step(heading: heading, action: .close) }
  }

  let name = "script"
  private var steps: [Step]

  init(_ steps: [Step]) {
    self.steps = steps
  }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    guard let step = steps.first, step.heading == presentation.request.heading else {
      guard presentation.request.flow else {
        throw RouterError(.impossible, "the script does not expect \(presentation.request.heading)")
      }
      // A flow's answered sheet stays until the next one is shown.
      try await untilWithdrawn()
      return .dismiss
    }
    steps.removeFirst()
    print("[shown] \(step.heading)")
    switch step.action {
    case .press(let label):
      print("[pressed] \(label)")
      guard let button = presentation.request.buttons.first(where: { $0.label == label }) else {
        throw RouterError(.invalid, "there is no button \(label)")
      }
      return .answer(.button(button.id))
    case .answer(let answer):
      print("[filled in]")
      return .answer(.value(try JSONValue(encoding: answer)))
    case .close:
      print("[closed]")
      return .dismiss
    }
  }

  private func untilWithdrawn() async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
