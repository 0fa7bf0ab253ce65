import Router
import RouterCommandLine

/// A presentation as text for a list. All text is escaped here.
struct PresentationCells {
  let presentation: Presentation
  let zone: LocalTime
  let users: UserNames
  /// The time up to which open presentations have waited or been shown.
  let now: Timestamp
  var style = OutputStyle.plain
  /// The search that found it.
  var search: SearchWords?
  /// Whether an approved act without a result is marked: `Run → not reported`.
  var marksUnreported = false
  /// How many prompts in a row this one stands for, all of one app, that nobody was there to ask.
  var count = 1

  var asked: String {
    style.isTerminal && style.width < 120
      ? zone.short(presentation.requestedAt, now: now) : zone.text(presentation.requestedAt)
  }

  /// The requester's name. The app is cut first: the rest tells sessions apart.
  func app(to columns: Int) -> CellText {
    let name = RequesterName(presentation)
    guard style.isTerminal else {
      return CellText(name.parts.map { $0.escapedForTerminal() }.joined(separator: "·").withoutSpaces)
    }
    return CellText(name.text(to: columns), presentation.sessionFace)
  }

  var user: String { users[presentation.requester.process].withoutSpaces }
  var id: String { presentation.id.short }

  /// How it ended, or where it is. On a terminal, with the comment of the person or rule, and a mark if nobody looked:
  /// `Deny: use the staging branch`, `↻ Allow`, `Run → ran 3`. The mark comes first, since a narrow column cuts the end.
  var outcome: String {
    guard style.isTerminal else { return end + ran.replacing(" → ", with: "→").withoutSpaces }
    guard let comment = presentation.comment else { return mark + end + ran }
    return "\(mark)\(end)\(ran): \(comment.replacing(anyOf: "\n", with: " ").escapedForTerminal())"
  }

  /// The result of the act, as its requester reports it.
  private var ran: String {
    if marksUnreported, presentation.isUnreported { return " → not reported" }
    return presentation.ran.map { " → \($0.report.words)" } ?? ""
  }

  /// The label of the button, or a few words, such as `program ended`; in a pipe, the words of the API: `answered/develop`,
  /// `cancelled/requesterGone`, `expired/queued`, `presented`.
  private var end: String {
    guard let outcome = presentation.outcome else {
      let waits = presentation.snoozedUntil == nil ? presentation.state.rawValue : "snoozed"
      let state = presentation.covered ? "covered" : waits
      return presentation.progressOfApproval.map { "\(state)/\($0)" } ?? state
    }
    guard case .answered(.button(let id)) = outcome else {
      if style.isTerminal { return outcome.brief }
      return outcome.reason.map { "\(outcome.name.rawValue)/\($0)" } ?? outcome.name.rawValue
    }
    let label = (presentation.request.buttons.first { $0.id == id }?.label ?? id).escapedForTerminal()
    return style.isTerminal ? label : "answered/\(label)".withoutSpaces
  }

  /// The same in the words that the person saw, or how it ended in a few words.
  var ending: String {
    switch presentation.outcome {
    case .answered, nil: return mark + presentation.ending.escapedForTerminal() + ran
    case .dismissed, .cancelled, .expired, .failed: return outcome
    }
  }

  /// The mark of what ended without a person.
  private var mark: String {
    switch presentation.because {
    case .grant: "↻ "
    case .rule: "§ "
    case .with, nil: ""
    }
  }

  /// Explains the marks that some cells have, in one line; `nil` if they have none.
  static func legend(of cells: [PresentationCells]) -> String? {
    func isThere(_ mark: String) -> Bool { cells.contains { $0.mark == mark } }
    let parts = [
      isThere("↻ ") ? "↻ answered from memory" : nil, isThere("§ ") ? "§ decided by a rule" : nil,
      cells.contains { !$0.ran.isEmpty } ? "→ what its program reports, such as ran and the exit status" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The time until it was first shown, or ended without being shown.
  var waited: String {
    (presentation.presentedAt ?? presentation.resolvedAt ?? now).duration(since: presentation.requestedAt).compact
  }

  /// The time from the first showing to the end.
  var shown: String {
    presentation.presentedAt.map { (presentation.resolvedAt ?? now).duration(since: $0).compact } ?? "-"
  }

  /// The user who ended it, and the presenter if it ended there; or the rule.
  var by: String {
    if case .rule(let id, _) = presentation.because { return style.isTerminal ? "rule \(id)" : "rule:\(id)" }
    guard let resolver = presentation.resolvedBy else { return "-" }
    let user = users[resolver.process]
    if case .grant(let id) = presentation.because {
      let text = "\(user) via \(id.short)"
      return style.isTerminal ? text : text.withoutSpaces
    }
    let others = presentation.approvals.map { users[$0.by.process] }
    let last = resolver.presenter.map { "\(user)@\($0.escapedForTerminal())" } ?? user
    return (others + [last]).joined(separator: style.isTerminal ? ", " : ",").withoutSpaces
  }

  /// The title, and beside it the command, or the passage that a search found elsewhere. In a pipe, the kind and the sheet come
  /// first.
  func what(to columns: Int) -> CellText {
    if count > 1 {
      let text = "nobody was there to ask (\(count) times)"
      return CellText(text.columns <= columns ? text : "(\(count) times)".cut(to: columns), .dim)
    }
    let request = presentation.request
    let summary = PresentationSummary(request)
    let kind = style.isTerminal ? [] : [request.kind.word, request.sheet == summary.title ? nil : request.sheet]
    var title = (kind + [summary.title]).compactMap { $0?.escapedForTerminal() }.joined(separator: " ")
    let isElsewhere = search?.ranges(in: summary.text).isEmpty == true
    let passage = isElsewhere ? search?.passage(of: presentation, after: min(20, columns / 6)) : nil
    guard let beside = (passage ?? summary.command)?.escapedForTerminal(), columns >= 20 else {
      return CellText(title.cut(to: columns), marking: search)
    }
    title = title.cut(to: max(columns / 5 * (passage == nil ? 3 : 2), columns - 3 - beside.columns))
    let room = columns - 3 - title.columns
    let rest = passage == nil ? beside.cutInMiddle(to: room) : beside.cut(to: room)
    return CellText(
      CellText(title, marking: search).parts + [(" · ", [.dim])] + CellText(rest, .dim, marking: search).parts)
  }

  var face: OutputStyle.Face { .of(presentation.outcome?.name, presentation.answerKind) }
}

extension PresentationKind {
  fileprivate var word: String {
    switch self {
    case .alert: "alert"
    case .confirmationDialog: "dialog"
    case .sheet: "sheet"
    case .fullScreenCover: "cover"
    }
  }
}

extension PresentationID {
  /// The last eight digits, which are random. The first eight encode the time and stay the same for minutes.
  var short: String { String(description.suffix(8)) }
}

extension String {
  /// The text without spaces, which only the last column may contain, so that a script can split at them.
  fileprivate var withoutSpaces: String {
    utf8.contains(UInt8(ascii: " ")) ? replacing(each: " ", with: "_") : self
  }
}
