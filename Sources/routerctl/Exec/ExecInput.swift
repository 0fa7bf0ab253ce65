import OrderedCollections
import Router

/// The input of a presenter's command: the presentation as in the API, and its description for display.
struct ExecInput: JSONObject {
  let presentation: Presentation
  let prompt: PromptDescription
  /// The invalid input and the problems, by field name.
  var again: (typed: OrderedDictionary<String, String>, problems: OrderedDictionary<String, String>)?

  init(_ presentation: Presentation, request: PresentationRequest) {
    self.presentation = presentation
    prompt = PromptDescription(presentation, request: request)
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
