import Router

/// Simulates the person: performs the steps in order, each when its presentation is shown.
actor ScriptedPresenter: Presenter {
  /// One action of the person, on the presentation with a heading.
  struct Step {
    var heading: String
    var action: String
    var response: @Sendable (PresentationRequest) throws -> PresenterResponse

    /// Presses the button with a label.
    static func press(_ label: String, on heading: String) -> Step {
      Step(heading: heading, action: "pressed \(label)") { request in
        .answer(.button(request.buttons.first { $0.label == label }?.id ?? label))
      }
    }

    /// Fills in a sheet.
    static func answer(_ answer: some Encodable & Sendable, on heading: String) -> Step {
      Step(heading: heading, action: "filled in") { _ in .answer(.value(try JSONValue(encoding: answer))) }
    }

    /// Continues from a sheet without an answer, in a flow.
    static func proceed(from heading: String) -> Step {
      Step(heading: heading, action: "continued") { _ in .answer(.value([:])) }
    }

    /// Closes the presentation; in a flow, this goes back.
    static func close(_ heading: String) -> Step { Step(heading: heading, action: "closed") { _ in .dismiss } }
  }

  let name = "script"
  private var steps: [Step]

  init(_ steps: [Step]) {
    self.steps = steps
  }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    if let step = steps.first, step.heading == presentation.request.heading {
      steps.removeFirst()
      print("[shown] \(step.heading)\n[\(step.action)]")
      return try step.response(presentation.request)
    }
    guard presentation.request.flow else {
      throw RouterError(.impossible, "the script does not expect \(presentation.request.heading)")
    }
    // A flow's answered sheet stays until the next one is shown.
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
