import Router

/// Simulates the person: performs the steps in order, each when its presentation is shown.
actor ScriptedPresenter: Presenter {
  /// One action of the person.
  struct Step {
    /// The heading of the presentation to act on.
    var heading: String
    var response: PresenterResponse

    /// Fills in a sheet.
    static func fill(_ heading: String, _ value: JSONValue) -> Step {
      Step(heading: heading, response: .answer(.value(value)))
    }

    /// Presses a button.
    static func press(_ button: String, on heading: String) -> Step {
      Step(heading: heading, response: .answer(.button(button)))
    }

    /// Closes the presentation; in a flow, this goes back.
    static func close(_ heading: String) -> Step {
      Step(heading: heading, response: .dismiss)
    }
  }

  let name = "script"
  private var steps: [Step]

  init(_ steps: [Step]) {
    self.steps = steps
  }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    guard let step = steps.first, step.heading == presentation.request.heading else {
      // A flow's answered sheet stays until the next one is shown.
      try await untilWithdrawn()
      return .dismiss
    }
    steps.removeFirst()
    print("[shown] \(step.heading)")
    switch step.response.answer {
    case .button(let id):
      print("[pressed] \(presentation.request.buttons.first { $0.id == id }?.label ?? id)")
    case .value, .redacted: print("[filled in]")
    case nil: print("[closed]")
    }
    return step.response
  }

  private func untilWithdrawn() async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
