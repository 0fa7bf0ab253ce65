/// A list of choices for selecting one or checking several. A long list is filtered by typed text.
package struct ChoiceList: Sendable, Hashable {
  /// The maximum length of a list without a filter. The page uses the same number.
  static let manyChoices = 9

  let labels: [String]
  /// Whether a choice is required: Enter then selects the first choice if none is selected.
  let isRequired: Bool
  /// The checked choices of a list of check boxes, where the selected choice is only the current row; `nil` for other lists.
  private(set) var checked: Set<Int>?
  package private(set) var selected: Int?
  private(set) var filter = ""

  package init(_ labels: [String], selected: Int? = nil, checked: Set<Int>? = nil, isRequired: Bool = false) {
    self.labels = labels
    self.checked = checked
    self.isRequired = isRequired
    self.selected = selected
  }

  var isLong: Bool { labels.count > Self.manyChoices }

  /// The indexes of the visible choices.
  package var matches: [Int] {
    if filter.isEmpty { return Array(labels.indices) }
    let words = filter.lowercased()
    return labels.indices.filter { labels[$0].lowercased().contains(words) }
  }

  /// The choice that Enter selects, or Space checks.
  var marked: Int? { selected ?? (isRequired || checked != nil ? matches.first : nil) }

  /// The selected choice, or the checked ones.
  var chosen: [Int] { checked?.sorted() ?? [selected].compactMap(\.self) }

  mutating func select(_ index: Int?) {
    selected = index
  }

  /// Checks or unchecks a choice.
  mutating func toggle(_ index: Int?) {
    guard let index else { return }
    checked?.formSymmetricDifference([index])
    selected = index
  }

  /// Moves the selection among the visible choices, stopping at the ends.
  package mutating func move(by step: Int) {
    let matches = matches
    guard let first = matches.first, let last = matches.last else { return }
    guard let marked, let place = matches.firstIndex(of: marked) else {
      selected = step < 0 ? last : first
      return
    }
    selected = matches[min(max(place + step, 0), matches.count - 1)]
  }

  /// Searches for typed text: anywhere in the labels of a long list, at their beginning in a short list.
  package mutating func type(_ text: String) {
    guard isLong else { return jump(to: text) }
    guard filter.utf8.count + text.utf8.count <= 256 else { return }
    filter += text
    keepSelectionInSight()
  }

  /// Erases the last character of the filter, or all of it, and returns whether there was one.
  package mutating func erase(all: Bool = false) -> Bool {
    guard !filter.isEmpty else { return false }
    if all { filter = "" } else { filter.removeLast() }
    keepSelectionInSight()
    return true
  }

  private mutating func jump(to text: String) {
    let words = text.lowercased()
    let start = selected.map { $0 + 1 } ?? 0
    let order = labels.indices.map { ($0 + start) % labels.count }
    if let found = order.first(where: { labels[$0].lowercased().hasPrefix(words) }) { selected = found }
  }

  private mutating func keepSelectionInSight() {
    let matches = matches
    if selected.map(matches.contains) != true { selected = matches.first }
  }
}
