import OrderedCollections
import Router

/// Answers prompts without a person: picks the first choice.
struct ScriptedPresenter: Presenter {
  let name = "script"
  let say: @Sendable (String) -> Void

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    let request = presentation.request
    if request.sheet == "address", presentation.generation == 1 {
      say("  shown: \(request.heading)")
      // The program stacks an alert on this showing; the next showing is answered.
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      say("  covered: \(request.heading)")
      throw CancellationError()
    }
    if let button = request.buttons.first {
      say("  shown: \(request.heading); answered: \(button.label)")
      return .answer(.button(button.id))
    }
    var answer: OrderedDictionary<String, JSONValue> = [:]
    for property in request.schema?.properties ?? [] {
      answer[property.name] = property.defaultValue ?? property.choices?.first ?? "Demo"
    }
    say("  shown: \(request.heading); answered: \(JSONValue.object(answer))")
    return .answer(.value(.object(answer)))
  }
}
