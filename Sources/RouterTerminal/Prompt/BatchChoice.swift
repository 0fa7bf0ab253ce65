import OrderedCollections
import RouterCore

/// Which of the prompts that are like this one get the same answer.
struct BatchChoice: Sendable {
  /// What the row of the choice says.
  enum Mode: Sendable, Hashable, CaseIterable {
    case none, all, some
  }

  /// The prompts that can be answered too, in queue order.
  private(set) var others: [Presentation]
  private(set) var mode = Mode.none
  private(set) var chosen: Set<PresentationID> = []

  init(_ others: [Presentation] = []) { self.others = others }

  /// Whether others are or can be chosen.
  var isOffered: Bool { !others.isEmpty }

  /// The chosen prompts, or all of them while a person chooses some. Each is shown in full.
  var shown: [Presentation] { mode == .some ? others : others.filter { chosen.contains($0.id) } }

  var label: String {
    switch mode {
    case .none: "none"
    case .all: chosen.count == others.count ? "all" : "\(chosen.count) of \(others.count)"
    case .some: "choose, \(chosen.count) of \(others.count)"
    }
  }

  /// Takes the newest list. What is new is not chosen, because nobody has read it.
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

  /// Adds the chosen prompts to an answer.
  func add(to extra: inout AnswerExtra) {
    for other in others where chosen.contains(other.id) { extra.also[other.id] = other.request.act?.digest }
  }
}
