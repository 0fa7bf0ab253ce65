import OrderedCollections
import Router

/// Prompts by session, in the list's order. A group is a user's prompts of an agent's session, or of an app and directory.
/// Groups are ordered by their first prompts.
struct SessionGroups {
  enum Line {
    /// The heading of a group of prompts.
    case heading([Presentation])
    case prompt(Presentation)

    var isHeading: Bool { if case .heading = self { true } else { false } }
  }

  private struct Key: Hashable {
    let owner: Owner
    let session: String?
    /// The app and directory; `nil` for an agent's session, where both may change.
    let name: RequesterName?

    init(_ presentation: Presentation) {
      (owner, session) = (presentation.requester.process.owner, presentation.session)
      name = session == nil ? RequesterName(presentation) : nil
    }
  }

  private let groups: [[Presentation]]

  init(_ listed: [Presentation]) {
    groups = Array(OrderedDictionary(grouping: listed, by: Key.init).values)
  }

  /// Creates a single group.
  init(ungrouped listed: [Presentation]) { groups = [listed] }

  var prompts: [Presentation] { groups.flatMap(\.self) }

  /// Whether there are several groups, each with a heading.
  var haveHeadings: Bool { groups.count > 1 }

  var lines: [Line] { groups.flatMap { (haveHeadings ? [.heading($0)] : []) + $0.map(Line.prompt) } }

  /// Returns the columns of a table of these prompts. Under headings, which name the apps, rows show their queue position
  /// instead.
  func columns(_ columns: [PresentationTable.Column]) -> [PresentationTable.Column] {
    guard haveHeadings else { return columns }
    let areNamed = groups.allSatisfy { Set($0.map { RequesterName($0) }).count == 1 }
    return [.place] + columns.filter { !areNamed || $0.title != PresentationTable.Column.app.title }
  }
}

extension PresentationCells {
  /// Returns the heading of a session's prompts, with this as the first: `claude-code · shop  3 prompts`.
  func heading(of count: Int) -> String {
    let rest = "  " + String(counting: count, "prompt")
    return CellText(app(to: max(2, style.width - rest.columns)).parts + [(rest, [.dim])]).styled(style)
  }
}
