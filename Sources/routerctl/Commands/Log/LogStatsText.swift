import OrderedCollections
import Router
import RouterCommandLine

/// Formats statistics for a person: a table with bars for each dimension, and a sparkline per hour.
struct LogStatsText {
  let statistics: AuditStatistics
  /// The only dimension to show; `nil` for all.
  let by: AuditStatistics.Dimension?
  let zone: LocalTime
  let style: OutputStyle

  var lines: [String] {
    let wanted: [AuditStatistics.Dimension] = by.map { [$0] } ?? [style.isTerminal ? .answer : .outcome, .app]
    guard style.isTerminal else { return wanted.flatMap { dimension in (statistics.groups[dimension] ?? []).map(plain) } }
    var lines = [heading]
    if by == nil, let line = hours { lines.append(line) }
    for dimension in wanted {
      guard let groups = statistics.groups[dimension], !groups.isEmpty else { continue }
      lines.append("")
      lines += table(groups, dimension)
    }
    return lines
  }

  private var heading: String {
    let count = statistics.total.count + statistics.open
    let open = statistics.open > 0 ? ", \(statistics.open) open" : ""
    let settled = statistics.total.settled > 0 ? ", \(statistics.total.settled) answered as remembered" : ""
    return style.text("\(String(counting: count, "prompt"))\(open)\(settled)", .bold)
  }

  /// A sparkline of the most recent hours with requests, up to the terminal's width; `nil` for a single hour.
  private var hours: String? {
    guard let groups = statistics.groups[.hour], let last = groups.last.flatMap({ Timestamp($0.key) }) else { return nil }
    let counts = Dictionary(groups.compactMap { group in Timestamp(group.key).map { ($0, group.count) } }) { first, _ in first }
    let columns = max(12, min(style.width - 30, 96))
    let first = groups.first.flatMap { Timestamp($0.key) } ?? last
    let count = min(columns, Int(last.duration(since: first) / .seconds(3600)) + 1)
    guard count > 1 else { return nil }
    let begin = last.advanced(by: .seconds(-3600 * (count - 1)))
    let numbers = (0..<count).map { counts[begin.advanced(by: .seconds(3600 * $0))] ?? 0 }
    return "\(style.text(Bar.sparkline(numbers), .cyan)) per hour since \(zone.text(begin).prefix(16))"
  }

  private func table(_ groups: [AuditStatistics.Group], _ dimension: AuditStatistics.Dimension) -> [String] {
    let names = groups.map { name($0, dimension) }
    let nameWidth = min(24, max(dimension.rawValue.columns, names.map(\.columns).max() ?? 0))
    let most = groups.map(\.count).max() ?? 1
    let countWidth = max(5, String(most).columns)
    let times = 7
    let hasShares = ![.answer, .outcome].contains(dimension)
    let left = style.width - nameWidth - countWidth - 6 * times - 4 - (hasShares ? 12 : 0)
    let bars = max(8, min(40, left))
    func line(_ name: String, _ count: String, _ bar: String, _ shares: [String], _ lengths: [String]) -> String {
      var line = name.cut(to: nameWidth).padded(to: nameWidth) + " " + count.padded(to: countWidth, atStart: true) + " " + bar
      for share in hasShares ? shares : [] { line += " " + share.padded(to: 5, atStart: true) }
      for length in lengths { line += length.padded(to: times, atStart: true) }
      return line
    }
    let head = line(
      dimension.rawValue.uppercased(), "COUNT", String(repeating: " ", count: bars), ["YES", "NO"],
      ["WAITED", "p90", "p99", "SHOWN", "p90", "p99"])
    return [style.text(head, .bold)]
      + zip(groups, names).map { group, name in
        let shares = [AnswerKind.yes, .no].map { "\((group.answers[$0] ?? 0) * 100 / max(1, group.count)) %" }
        return line(
          name, String(group.count), style.text(Bar.text(Double(group.count) / Double(most), columns: bars), .cyan),
          shares, lengths(group.waited) + lengths(group.shown))
      }
  }

  private func name(_ group: AuditStatistics.Group, _ dimension: AuditStatistics.Dimension) -> String {
    guard dimension == .hour, let hour = Timestamp(group.key) else { return group.key.escapedForTerminal() }
    return String(zone.text(hour).prefix(16))
  }

  private func lengths(_ times: AuditStatistics.Times?) -> [String] {
    guard let times else { return ["-", "", ""] }
    return [times.median.compact, times.ninetieth.compact, times.ninetyNinth.compact]
  }

  /// Formats a group as tab-separated values: the key, the count, the count of each outcome, and six durations in seconds.
  private func plain(_ group: AuditStatistics.Group) -> String {
    let outcomes = PresentationOutcome.Name.allCases.map { String(group.outcomes[$0] ?? 0) }
    func seconds(_ times: AuditStatistics.Times?) -> [String] {
      guard let times else { return ["-", "-", "-"] }
      return [times.median, times.ninetieth, times.ninetyNinth].map { JSONValue.seconds($0).description }
    }
    let cells = [group.key.escapedForTerminal(), String(group.count)] + outcomes + seconds(group.waited) + seconds(group.shown)
    return cells.joined(separator: "\t")
  }
}
