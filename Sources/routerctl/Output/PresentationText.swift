import Router

extension Presentation {
  /// The outcome in a few words, such as `answered Deploy` or `cancelled (superseded)`, with the person's comment; the state of
  /// an open presentation.
  var endText: String { [outcomeText, comment.map { "“\($0)”" }].compactMap(\.self).joined(separator: ": ") }

  private var outcomeText: String {
    switch outcome {
    case nil: covered ? "covered" : state.rawValue
    case .answered(.button(let id)): "answered \(request.text(ofButton: id))" + (isSuppressed ? ", suppressed" : "")
    case .answered(.value(let value)):
      "answered "
        + (request.schema == nil ? "\(value)" : request.fields(of: value).map { "\($0): \($1)" }.joined(separator: ", "))
    case .answered(.redacted): "answered (not recorded)"
    case .dismissed: "dismissed"
    case .cancelled(let reason): "cancelled (\(reason.rawValue))"
    case .expired(let phase): "expired while \(phase.rawValue)"
    case .failed(let detail): "failed: \(detail)"
    }
  }
}

extension PresentationAnswer {
  /// The answer for a script: a button's id or a value's JSON; `nil` if it is withheld from this reader.
  var scriptText: String? {
    switch self {
    case .button(let id): id
    case .value(let value): value.description
    case .redacted: nil
    }
  }
}
