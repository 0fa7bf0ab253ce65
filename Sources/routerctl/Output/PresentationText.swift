import Router
import RouterCommandLine

extension Presentation {
  /// The outcome in a few words, such as `answered Deploy` or `cancelled (superseded)`, with the person's comment; the state if
  /// it is open.
  var endText: String { [outcomeText, comment.map { "“\($0)”" }].compactMap(\.self).joined(separator: ": ") }

  private var outcomeText: String {
    switch outcome {
    case nil: covered ? "covered" : state.rawValue
    case .answered(.button(let id)): "answered \(request.text(ofButton: id))"
    case .answered(.value(let value)):
      "answered "
        + (request.schema == nil ? "\(value)" : request.fields(of: value).map { "\($0): \($1)" }.joined(separator: ", "))
    case .answered(.redacted): "answered (not recorded)"
    case .dismissed: "dismissed"
    case .cancelled(let reason): reason.words
    case .expired(.queued): "nobody saw it within \(lifetime)"
    case .expired(.presented): "nobody answered within \(lifetime)"
    case .failed(let detail): "\(resolvedBy?.presenter ?? "a presenter") could not show it (\(detail))"
    }
  }

  /// The time from the request to the end.
  private var lifetime: String {
    let time = (resolvedAt ?? requestedAt).duration(since: requestedAt)
    guard time < .seconds(60) else { return time.compact }
    let tenths = max(1, Int((time / .milliseconds(100)).rounded()))
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}

extension PresentationOutcome {
  /// The outcome in at most 13 columns, for a table in 80 columns.
  var brief: String {
    switch self {
    case .answered, .dismissed, .failed, .expired(.presented): name.rawValue
    case .expired(.queued): "never shown"
    case .cancelled(.requester): "withdrawn"
    case .cancelled(.requesterGone): "program ended"
    case .cancelled(.superseded): "superseded"
    case .cancelled(.busy): "busy"
    case .cancelled(.parentEnded): "parent ended"
    case .cancelled(.noPresenter): "nobody there"
    case .cancelled(.off): "switched off"
    case .cancelled(.admin): "by an admin"
    case .cancelled(.refused): "refused"
    case .cancelled(.interrupted): "interrupted"
    }
  }
}

extension PresentationOutcome.CancellationReason {
  var words: String {
    switch self {
    case .requester: "cancelled"
    case .requesterGone: "cancelled: its program ended"
    case .superseded: "cancelled: a newer prompt replaced it"
    case .busy: "cancelled: another prompt was open"
    case .parentEnded: "cancelled: the prompt below it ended"
    case .noPresenter: "nobody was there to ask"
    case .off: "Router was switched off"
    case .admin: "cancelled by an administrator"
    case .refused: "refused by a rule"
    case .interrupted: "cancelled: routerd stopped"
    }
  }
}

extension PresentationAnswer {
  /// The answer for a script: a button's id or a value's JSON; `nil` if it is withheld from this reader.
  var scriptText: [UInt8]? {
    switch self {
    case .button(let id): Array(id.utf8)
    case .value(let value): value.bytes
    case .redacted: nil
    }
  }
}
