import Router

extension Presentation {
  /// The outcome in a few words, such as `answered "deploy"` or `cancelled (superseded)`; the state if it is open.
  var endText: String {
    switch outcome {
    case nil: covered ? "covered" : state.rawValue
    case .answered(.button(let id)): "answered \(id)"
    case .answered(.value(let value)): "answered \(value)"
    case .answered(.redacted): "answered (not for the record)"
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
