import Router
import RouterCommandLine

/// A presentation as text for the table and the timeline. All text is escaped here.
struct PresentationCells {
  let presentation: Presentation
  let zone: LocalTime
  let users: UserNames
  /// The time up to which open presentations have waited or been shown.
  let now: Timestamp
  var style = OutputStyle.plain

  var asked: String {
    style.isTerminal && style.width < 120
      ? zone.short(presentation.requestedAt, now: now) : zone.text(presentation.requestedAt)
  }
  var app: String { presentation.requester.app.escapedForTerminal().withoutSpaces }
  var user: String { users[presentation.requester.process].withoutSpaces }
  var id: String { presentation.id.short }

  /// How it ended, or where it is: the button's label on a terminal, else `answered/deploy`; `cancelled/requesterGone`,
  /// `expired/queued`, `presented`.
  var outcome: String {
    guard let outcome = presentation.outcome else {
      return presentation.covered ? "covered" : presentation.state.rawValue
    }
    if case .answered(.button(let id)) = outcome {
      if style.isTerminal, let button = presentation.request.buttons.first(where: { $0.id == id }) {
        return button.label.escapedForTerminal()
      }
      return "answered/\(id.escapedForTerminal().withoutSpaces)"
    }
    return outcome.reason.map { "\(outcome.name.rawValue)/\($0)" } ?? outcome.name.rawValue
  }

  /// The time until it was first shown, or ended without being shown.
  var waited: String {
    (presentation.presentedAt ?? presentation.resolvedAt ?? now).duration(since: presentation.requestedAt).compact
  }

  /// The time from the first showing to the end.
  var shown: String {
    presentation.presentedAt.map { (presentation.resolvedAt ?? now).duration(since: $0).compact } ?? "-"
  }

  /// The user who ended it, and the presenter if it ended there.
  var by: String {
    guard let resolver = presentation.resolvedBy else { return "-" }
    let user = users[resolver.process]
    return (resolver.presenter.map { "\(user)@\($0.escapedForTerminal())" } ?? user).withoutSpaces
  }

  var what: String {
    let request = presentation.request
    let kind =
      switch request.kind {
      case .alert: "alert"
      case .confirmationDialog: "dialog"
      case .sheet: "sheet"
      case .fullScreenCover: "cover"
      }
    var words = [kind]
    if let sheet = request.sheet { words.append(sheet.escapedForTerminal()) }
    if let heading = request.title ?? request.schema?.title { words.append(heading.escapedForTerminal()) }
    return words.joined(separator: " ")
  }

  var face: OutputStyle.Face { .of(presentation.outcome?.name, presentation.answerKind) }
}

extension PresentationID {
  /// The last eight digits, which are random. The first eight encode the time and stay the same for minutes.
  var short: String { String(description.suffix(8)) }
}

extension String {
  /// The text without spaces, which only the last column may contain, so that a script can split at them.
  fileprivate var withoutSpaces: String {
    utf8.contains(UInt8(ascii: " ")) ? String(map { $0 == " " ? "_" : $0 }) : self
  }
}
