import OrderedCollections
import Router

/// Lines typed by a person.
actor Input {
  private var lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }

  func next() async -> String? { lines.isEmpty ? nil : lines.removeFirst() }
}

struct LinePresenter: Presenter {
  let name = "line"
  let input: Input

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    let request = presentation.request
    print("\(presentation.requester.app) asks: \(request.heading)")
    if let message = request.message { print(message) }
    for button in request.buttons { print("  \(button.id): \(button.label)") }
    guard let line = await input.next(), !line.isEmpty else { return .dismiss }
    return .answer(.button(line))
  }
}

private func present(on coordinator: PresentationCoordinator, input: Input) async throws {
  try await coordinator.run(LinePresenter(input: input), on: "main")
}

/// Sheets and forms.
private struct FormPresenter {
  func present(_ schema: FormSchema) async -> PresenterResponse {
    var members: OrderedDictionary<String, JSONValue> = [:]
    for property in schema.properties {
      var value = await ask(property.label, default: property.defaultValue, isHidden: property.isSecret)
      while let problem = property.problem(with: value) {
        print("\(property.label) \(problem)")
        value = await ask(property.label, default: property.defaultValue, isHidden: property.isSecret)
      }
      members[property.name] = value
    }
    return .answer(.value(.object(members)))
  }

  private func ask(_ label: String, default defaultValue: JSONValue?, isHidden: Bool) async -> JSONValue { .null }
}

private struct PickColor: Sheet {
  typealias Answer = String
  var colors: [String]
}

/// Ask from within.
private struct ConfirmingPresenter: Presenter {
  let name = "confirming"
  let question = AlertState("Sure?") { ButtonState("Yes", action: true) }
  @Environment(\.showAlert) private var showAlert

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    let color = await choose()
    let isSure = try await showAlert(question)
    return isSure ? .answer(.value(.string(color))) : .dismiss
  }

  private func choose() async -> String { "red" }
}

private struct ColorPresenter: Presenter {
  let name = "colors"

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    let sheet = try presentation.request.payload?.decode(PickColor.self)
    let color = await choose(from: sheet?.colors ?? [])
    return .answer(.value(try JSONValue(encoding: color)))
  }

  private func choose(from colors: [String]) async -> String { colors.first ?? "" }
}

struct CountdownPresenter: Presenter {
  let name = "countdown"

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    async let _: Void = closeLater()
    return await buttons(of: presentation)
  }

  private func closeLater() async {
    @Environment(\.dismiss) var dismiss
    if await secondsPass(30) { dismiss() }
  }
}

extension CountdownPresenter {
  private func buttons(of presentation: Presentation) async -> PresenterResponse { .dismiss }
  private func secondsPass(_ seconds: Int) async -> Bool { false }
}
