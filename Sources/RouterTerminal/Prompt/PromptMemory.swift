import OrderedCollections
package import RouterCore

/// A presenter's memory of presentations, for when one is shown again or covered by another.
package struct PromptMemory {
  package static let maximumCount = 64

  private struct Entry {
    var heading: String?
    var over: PresentationID?
    /// The input typed into its fields, except secrets.
    var typed: [String: String] = [:]
    /// The reason for a rejected answer, and its generation.
    var refusal: (generation: Int, text: String)?
    /// The answer given here to a presentation of a flow, and its generation.
    var given: (generation: Int, answer: PresentationAnswer)?
  }

  package init() {}

  private var entries: OrderedDictionary<PresentationID, Entry> = [:]

  private mutating func update(_ presentation: Presentation, _ change: (inout Entry) -> Void) {
    var entry = entries.removeValue(forKey: presentation.id) ?? Entry()
    change(&entry)
    entries[presentation.id] = entry
    if entries.count > Self.maximumCount { entries.removeFirst() }
  }

  /// Whether the presentation is shown again only because it was answered here.
  package func isEchoed(by presentation: Presentation) -> Bool {
    entries[presentation.id]?.given?.generation == presentation.generation - 1
  }

  /// Records an answer to a presentation of a flow; a sensitive answer without its content.
  package mutating func remember(_ response: PresenterResponse, to presentation: Presentation) {
    guard presentation.request.flow, let answer = response.answer else { return }
    update(presentation) { $0.given = (presentation.generation, presentation.request.sensitive ? .redacted : answer) }
  }

  package mutating func forgetAnswer(to presentation: Presentation) {
    entries[presentation.id]?.given = nil
  }

  /// Returns the request with the earlier answer as its defaults.
  package func filledIn(_ presentation: Presentation) -> PresentationRequest {
    var request = presentation.request
    guard case .value(let value)? = entries[presentation.id]?.given?.answer, var schema = request.schema else { return request }
    for index in schema.properties.indices {
      if let given = value[schema.properties[index].name] { schema.properties[index].defaultValue = given }
    }
    request.schema = schema
    return request
  }

  package mutating func remember(_ presentation: Presentation) {
    update(presentation) { ($0.heading, $0.over) = (presentation.request.heading, presentation.request.over) }
  }

  /// Returns the headings of the presentations below this one in its stack, lowest first.
  package func parents(of presentation: Presentation) -> [String] {
    var headings: [String] = []
    var next = presentation.request.over
    while let id = next, headings.count < 3 {
      headings.append(entries[id]?.heading ?? "…")
      next = entries[id]?.over
    }
    return headings.reversed()
  }

  package func typed(for presentation: Presentation) -> [String: String] { entries[presentation.id]?.typed ?? [:] }

  package mutating func remember(typed: [String: String], into presentation: Presentation) {
    entries[presentation.id]?.typed = presentation.request.sensitive ? [:] : typed
  }

  package func refusal(of presentation: Presentation) -> String? {
    guard let refusal = entries[presentation.id]?.refusal, refusal.generation == presentation.generation else { return nil }
    return refusal.text
  }

  package mutating func remember(refusal: String, of presentation: Presentation) {
    entries[presentation.id]?.refusal = (presentation.generation, refusal)
  }
}
