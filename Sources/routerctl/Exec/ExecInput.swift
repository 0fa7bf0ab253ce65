import OrderedCollections
import Router

/// What a presenter's command is told: the presentation as the API has it, and beside it how it reads to a person.
struct ExecInput {
  let presentation: Presentation
  let prompt: PromptDescription
  /// What was typed and does not fit, and why, by the fields' names.
  var again: (typed: OrderedDictionary<String, String>, problems: OrderedDictionary<String, String>)?

  /// - Parameter request: The presentation's, with what was answered before in place of its defaults.
  init(_ presentation: Presentation, request: PresentationRequest) {
    self.presentation = presentation
    prompt = PromptDescription(request, asker: PromptDescription(presentation).asker)
  }

  var json: JSONValue {
    var members = presentation.json.object ?? [:]
    members["prompt"] = prompt.json
    if let again {
      members["typed"] = .object(again.typed.mapValues(JSONValue.string))
      members["problems"] = .object(again.problems.mapValues(JSONValue.string))
    }
    return .object(members)
  }
}
