import Router

/// Plays the person: does one thing after the other, each when what it is meant for is shown.
actor ScriptedPresenter: Presenter {
  /// One thing that the person does.
  struct Step {
    /// The heading of what it is done with.
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

    /// Closes it, which in a flow is to go back.
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
      // A flow's sheet that was answered is shown until the next one comes.
      try await untilWithdrawn()
      return .dismiss
    }
    steps.removeFirst()
    print("[shown] \(step.heading)")
    switch step.response {
    case .answer(.button(let id)):
      print("[pressed] \(presentation.request.buttons.first { $0.id == id }?.label ?? id)")
    case .answer: print("[filled in]")
    case .dismiss: print("[closed]")
    }
    return step.response
  }

  private func untilWithdrawn() async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
