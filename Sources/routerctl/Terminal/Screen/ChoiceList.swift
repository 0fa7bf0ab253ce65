/// Things to choose from, one of which may be chosen; a long list shows what matches what is typed.
struct ChoiceList: Sendable, Hashable {
  /// The longest list that shows all of it. The page has the same.
  static let manyChoices = 8

  let labels: [String]
  private(set) var selected: Int?
  private(set) var filter = ""

  init(_ labels: [String], selected: Int? = nil) {
    self.labels = labels
    self.selected = selected
  }

  var isLong: Bool { labels.count > Self.manyChoices }

  /// What is to be seen, by its place in the list.
  var matches: [Int] {
    if filter.isEmpty { return Array(labels.indices) }
    let words = filter.lowercased()
    return labels.indices.filter { labels[$0].lowercased().contains(words) }
  }

  mutating func select(_ index: Int?) {
    selected = index
  }

  /// Moves among what is to be seen, and stops at its ends.
  mutating func move(by step: Int) {
    let matches = matches
    guard let first = matches.first, let last = matches.last else { return }
    guard let selected, let place = matches.firstIndex(of: selected) else {
      self.selected = step < 0 ? last : first
      return
    }
    self.selected = matches[min(max(place + step, 0), matches.count - 1)]
  }

  /// Finds what is typed: in a long list what has it anywhere, in a short one what begins with it.
  mutating func type(_ text: String) {
    guard isLong else { return jump(to: text) }
    guard filter.utf8.count + text.utf8.count <= 256 else { return }
    filter += text
    keepSelectionInSight()
  }

  /// Erases the last character of the filter, or all, and returns whether there was one.
  mutating func erase(all: Bool = false) -> Bool {
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
