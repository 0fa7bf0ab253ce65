import OrderedCollections
import Router

/// What is remembered of what was shown here, for when it, or something over it, is shown.
struct KeptPrompts {
  /// How many presentations are remembered; the oldest are forgotten first.
  static let maximumCount = 64

  private struct Kept {
    var heading: String
    var over: PresentationID?
    /// What was typed into its fields; nothing of what is for the asker alone.
    var typed: [String: String] = [:]
    /// Why an answer did not count, and to which showing.
    var refusal: (generation: Int, text: String)?
  }

  private var kept: OrderedDictionary<PresentationID, Kept> = [:]

  /// What a presentation is stacked on, from the lowest, by their headings.
  func parents(of presentation: Presentation) -> [String] {
    var headings: [String] = []
    var next = presentation.request.over
    while let id = next, headings.count < 3 {
      headings.append(kept[id]?.heading ?? "…")
      next = kept[id]?.over
    }
    return headings.reversed()
  }

  func typed(for presentation: Presentation) -> [String: String] { kept[presentation.id]?.typed ?? [:] }

  /// Why the last answer to this showing did not count.
  func refusal(of presentation: Presentation) -> String? {
    guard let refusal = kept[presentation.id]?.refusal, refusal.generation == presentation.generation else { return nil }
    return refusal.text
  }

  /// A presentation is shown.
  mutating func note(_ presentation: Presentation) {
    var entry = kept.removeValue(forKey: presentation.id) ?? Kept(heading: "", over: nil)
    entry.heading = presentation.request.heading
    entry.over = presentation.request.over
    kept[presentation.id] = entry
    if kept.count > Self.maximumCount { kept.removeFirst() }
  }

  mutating func noteTyped(_ typed: [String: String], into presentation: Presentation) {
    kept[presentation.id]?.typed = presentation.request.sensitive ? [:] : typed
  }

  mutating func noteRefusal(_ text: String, of presentation: Presentation) {
    kept[presentation.id]?.refusal = (presentation.generation, text)
  }
}
