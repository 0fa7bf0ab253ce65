import OrderedCollections
import Router

/// Shows one presentation at a time in the terminal and reads the answer.
///
/// Enough for the examples, which show only their own texts. A presenter of other programs' texts must keep them from imitating
/// its own, as `routerctl present` does.
actor LinePresenter: Presenter {
  let name = "terminal"
  private let input = InputLines()
  /// The last answered presentation and its showing.
  private var answered: (id: PresentationID, generation: Int)?

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    if let answered, answered == (presentation.id, presentation.generation - 1) {
      // A flow's answered sheet is shown again until the next one follows, usually at once.
      try await Task.sleep(for: .milliseconds(300))
    }
    let request = presentation.request
    print("\n── \(request.heading)")
    if let message = request.message { print(message) }
    let response = try await response(to: request)
    if case .answer = response { answered = (presentation.id, presentation.generation) }
    return response
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) {
    print(error.message)
  }

  private func response(to request: PresentationRequest) async throws -> PresenterResponse {
    let leave = request.over != nil && request.flow ? "go back" : "close"
    guard request.kind.hasButtons else { return try await fields(of: request, leave: leave) }
    for (index, button) in request.buttons.enumerated() { print("  \(index + 1)  \(button.label)") }
    while true {
      let line = try await ask("1–\(request.buttons.count), or q to \(leave)")
      if line == "q" { return .dismiss }
      if let number = Int(line), request.buttons.indices.contains(number - 1) {
        return .answer(.button(request.buttons[number - 1].id))
      }
    }
  }

  private func fields(of request: PresentationRequest, leave: String) async throws -> PresenterResponse {
    print("(:q to \(leave))")
    guard let schema = request.schema, !schema.properties.isEmpty else {
      return try await ask("Enter to go on") == ":q" ? .dismiss : .answer(.value([:]))
    }
    var answer: OrderedDictionary<String, JSONValue> = [:]
    for property in schema.properties {
      guard let value = try await value(of: property) else { return .dismiss }
      if value != .null { answer[property.name] = value }
    }
    return .answer(.value(.object(answer)))
  }

  /// - Returns: The input, null if it is empty; `nil` if the person leaves.
  private func value(of property: FormProperty) async throws -> JSONValue? {
    let choices = property.choices ?? []
    for (index, choice) in choices.enumerated() { print("  \(index + 1)  \(choice.string ?? choice.description)") }
    while true {
      let standing = property.defaultValue.map { " [\($0.string ?? $0.description)]" } ?? ""
      let line = try await ask(property.label + standing, hidden: property.isSecret)
      if line == ":q" { return nil }
      let value: JSONValue
      if line.isEmpty {
        guard property.defaultValue != nil || !property.isRequired else { continue }
        return property.defaultValue ?? .null
      } else if let number = Int(line), choices.indices.contains(number - 1) {
        value = choices[number - 1]
      } else {
        value = property.value(typed: line)
      }
      guard let problem = property.problem(with: value) else { return value }
      print("\(property.label) \(problem)")
    }
  }

  private func ask(_ question: String, hidden: Bool = false) async throws -> String {
    print(question, terminator: ": ")
    return try await input.next(hidden: hidden)
  }
}

extension FormProperty {
  /// Converts a line to the field's type; to text if that fails.
  fileprivate func value(typed line: String) -> JSONValue {
    let number: JSONValue? =
      switch kind {
      case .string: nil
      case .boolean: ["y": true, "yes": true, "n": false, "no": false][line].map(JSONValue.bool)
      case .integer, .number: try? JSONValue(parsing: line)
      }
    return number ?? .string(line)
  }
}
