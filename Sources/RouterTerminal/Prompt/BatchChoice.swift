import OrderedCollections
import RouterCore

/// The selection of similar prompts that get the same answer.
struct BatchChoice: Sendable {
  /// How the row selects prompts: none, all or some.
  enum Mode: Sendable, Hashable, CaseIterable {
    case none, all, some
  }

  /// The similar prompts that can also be answered, in queue order.
  private(set) var others: [Presentation]
  private(set) var mode = Mode.none
  private(set) var chosen: Set<PresentationID> = []

  init(_ others: [Presentation] = []) { self.others = others }

  /// Whether other prompts can be selected.
  var isOffered: Bool { !others.isEmpty }

  /// The selected prompts, or all of them while a person is selecting. Each is shown in full.
  var shown: [Presentation] { mode == .some ? others : others.filter { chosen.contains($0.id) } }

  var label: String {
    switch mode {
    case .none: "none"
    case .all: chosen.count == others.count ? "all" : "\(chosen.count) of \(others.count)"
    case .some: "choose, \(chosen.count) of \(others.count)"
    }
  }

  /// Updates the list. New prompts are not selected, because no one has read them.
  mutating func update(_ others: [Presentation]) {
    self.others = others
    chosen.formIntersection(others.map(\.id))
    if others.isEmpty { mode = .none }
  }

  mutating func move(by step: Int) {
    let modes = Mode.allCases
    mode = modes[(modes.firstIndex(of: mode)! + step + modes.count) % modes.count]
    switch mode {
    case .none: chosen = []
    case .all: chosen = Set(others.map(\.id))
    case .some: break
    }
  }

  mutating func toggle(_ index: Int) { chosen.formSymmetricDifference([others[index].id]) }

  func isChosen(_ index: Int) -> Bool { chosen.contains(others[index].id) }

  /// Adds the selected prompts to an answer.
  func add(to extra: inout AnswerExtra) {
    for other in others where chosen.contains(other.id) { extra.also[other.id] = other.request.act?.digest }
  }
}
