import OrderedCollections
import Router

/// What a presenter's command is told: the presentation as the API has it, and beside it how it reads to a person.
struct ExecInput: JSONObject {
  let presentation: Presentation
  let prompt: PromptDescription
  /// What was typed and does not fit, and why, by the fields' names.
  var again: (typed: OrderedDictionary<String, String>, problems: OrderedDictionary<String, String>)?

  init(_ presentation: Presentation, request: PresentationRequest) {
    self.presentation = presentation
    prompt = PromptDescription(request, asker: PromptDescription(presentation).asker)
  }

  func addMembers(to writer: inout JSONWriter) {
    presentation.addMembers(to: &writer)
    writer.add("prompt", prompt)
    if let again {
      writer.add("typed", again.typed)
      writer.add("problems", again.problems)
    }
  }
}
