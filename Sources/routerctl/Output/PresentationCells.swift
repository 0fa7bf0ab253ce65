import Router
import RouterCommandLine

/// A presentation as text for a list, with all text escaped.
struct PresentationCells {
  let presentation: Presentation
  let zone: LocalTime
  let users: UserNames
  /// The current time, for the waiting and shown times of open presentations.
  let now: Timestamp
  var style = OutputStyle.plain
  /// The search that found the presentation.
  var search: SearchWords?
  /// Whether to mark an approved act without a result: `Run → not reported`.
  var marksUnreported = false
  /// The number of consecutive prompts that this row represents, all of one app and without a presenter.
  var count = 1

  var asked: String {
    style.isTerminal && style.width < 120
      ? zone.short(presentation.requestedAt, now: now) : zone.text(presentation.requestedAt)
  }

  /// Returns the requester's name. Truncates the app first, since the rest distinguishes sessions.
  func app(to columns: Int) -> CellText {
    let name = RequesterName(presentation)
    guard style.isTerminal else {
      return CellText(name.parts.map { $0.escapedForTerminal() }.joined(separator: "·").withoutSpaces)
    }
    return CellText(name.text(to: columns), presentation.sessionFace)
  }

  var user: String { users[presentation.requester.process].withoutSpaces }
  var id: String { presentation.id.short }

  /// The outcome or state. On a terminal, includes the comment of the person or rule, and a mark if no person decided: `Deny:
  /// use the staging branch`, `↻ Allow`, `Run → ran 3`. The mark comes first, since a narrow column cuts the end.
  var outcome: String {
    guard style.isTerminal else { return end + ran.replacing(" → ", with: "→").withoutSpaces }
    guard let comment = presentation.comment else { return mark + end + ran }
    return "\(mark)\(end)\(ran): \(comment.replacing(anyOf: "\n", with: " ").escapedForTerminal())"
  }

  /// The reported result of the act.
  private var ran: String {
    if marksUnreported, presentation.isUnreported { return " → not reported" }
    return presentation.ran.map { " → \($0.report.words)" } ?? ""
  }

  /// The button's label, or a few words, such as `program ended`; in a pipe, the API's names: `answered/develop`,
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

  /// The outcome in the words that the person saw, or a short description.
  var ending: String {
    switch presentation.outcome {
    case .answered, nil: return mark + presentation.ending.escapedForTerminal() + ran
    case .dismissed, .cancelled, .expired, .failed: return outcome
    }
  }

  /// The mark for an end without a person.
  private var mark: String {
    switch presentation.because {
    case .grant: "↻ "
    case .rule: "§ "
    case .with, nil: ""
    }
  }

  /// Returns a one-line explanation of the cells' marks; `nil` if there are none.
  static func legend(of cells: [PresentationCells]) -> String? {
    func isThere(_ mark: String) -> Bool { cells.contains { $0.mark == mark } }
    let parts = [
      isThere("↻ ") ? "↻ answered from memory" : nil, isThere("§ ") ? "§ decided by a rule" : nil,
      cells.contains { !$0.ran.isEmpty } ? "→ the program's report, such as ran and the exit status" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The time until the first showing, or until the end without one.
  var waited: String {
    (presentation.presentedAt ?? presentation.resolvedAt ?? now).duration(since: presentation.requestedAt).compact
  }

  /// The time from the first showing to the end.
  var shown: String {
    presentation.presentedAt.map { (presentation.resolvedAt ?? now).duration(since: $0).compact } ?? "-"
  }

  /// The user who ended the presentation, with the presenter if any; or the rule.
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

  /// Returns the title, followed by the command, or by a search's match in another text. In a pipe, begins with the kind and
  /// the sheet.
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
