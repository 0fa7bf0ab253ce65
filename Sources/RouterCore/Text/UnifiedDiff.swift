/// The difference between two texts in the unified format of diff(1).
///
/// Compares lines byte by byte: canonically equivalent Swift strings are equal, which would hide a change.
package struct UnifiedDiff: Sendable {
  private typealias Line = ArraySlice<UInt8>

  private struct Change {
    /// The character in the diff's first column.
    let mark: Character
    let line: Line

    static func same(_ line: Line) -> Change { Change(mark: " ", line: line) }
    static func removed(_ line: Line) -> Change { Change(mark: "-", line: line) }
    static func added(_ line: Line) -> Change { Change(mark: "+", line: line) }
  }

  /// The maximum number of changed lines to compare. A larger change is shown as one removal and one addition.
  private static let maximumCompared = 2000
  private static let context = 3

  /// Returns the diff's lines, each marked in the first column as removed, added or unchanged.
  ///
  /// - Parameter numbered: Whether hunks begin with their line numbers, which are meaningless for an excerpt.
  package static func lines(from old: String, to new: String, numbered: Bool = true) -> [String] {
    let changes = changes(from: lines(of: old), to: lines(of: new))
    var output: [String] = []
    var (next, from, to) = (0, 0, 0)
    for hunk in hunks(of: changes) {
      // Lines between hunks are unchanged.
      (from, to, next) = (from + hunk.lowerBound - next, to + hunk.lowerBound - next, hunk.upperBound)
      let (removed, added) = (count(changes[hunk], "-"), count(changes[hunk], "+"))
      let (old, new) = (hunk.count - added, hunk.count - removed)
      func place(_ start: Int, _ count: Int) -> String { "\(count == 0 ? start : start + 1),\(count)" }
      if numbered { output.append("@@ -\(place(from, old)) +\(place(to, new)) @@") }
      for change in changes[hunk] { output += text(of: change) }
      (from, to) = (from + old, to + new)
    }
    return output
  }

  private static func count(_ changes: ArraySlice<Change>, _ mark: Character) -> Int { changes.count { $0.mark == mark } }

  /// Splits into lines with their line feeds, so that a missing final line feed is a difference.
  private static func lines(of text: String) -> [Line] {
    let bytes = Array(text.utf8)
    var lines: [Line] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(bytes[start...index])
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }

  private static func changes(from old: [Line], to new: [Line]) -> [Change] {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
    let (removed, added) = (old[head..<old.count - tail], new[head..<new.count - tail])
    return old[..<head].map(Change.same) + middle(Array(removed), Array(added)) + old.suffix(tail).map(Change.same)
  }

  private static func middle(_ old: [Line], _ new: [Line]) -> [Change] {
    guard old.count + new.count <= maximumCompared else { return old.map(Change.removed) + new.map(Change.added) }
    var (isRemoved, isAdded) = ([Bool](repeating: false, count: old.count), [Bool](repeating: false, count: new.count))
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): isRemoved[offset] = true
      case .insert(let offset, _, _): isAdded[offset] = true
      }
    }
    var changes: [Change] = []
    var (from, to) = (0, 0)
    while from < old.count || to < new.count {
      if from < old.count, isRemoved[from] {
        changes.append(.removed(old[from]))
        from += 1
      } else if to < new.count, isAdded[to] {
        changes.append(.added(new[to]))
        to += 1
      } else {
        changes.append(.same(old[from]))
        from += 1
        to += 1
      }
    }
    return changes
  }

  /// Returns the ranges of changes with their context lines.
  private static func hunks(of changes: [Change]) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for (index, change) in changes.enumerated() where change.mark != " " {
      let range = max(0, index - context)..<min(changes.count, index + context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private static func text(of change: Change) -> [String] {
    let isComplete = change.line.last == UInt8(ascii: "\n")
    let text = String(change.mark) + String(decoding: isComplete ? change.line.dropLast() : change.line, as: UTF8.self)
    return isComplete ? [text] : [text, "\\ No newline at end of file"]
  }
}
