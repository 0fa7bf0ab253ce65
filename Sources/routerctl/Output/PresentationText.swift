import Router

extension Presentation {
  /// The end in a few words, such as `answered "deploy"` or `cancelled (superseded)`; where it stands if it is open.
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
  /// The answer as a script reads it: a button's id, a value's JSON; `nil` where it is not for this reader.
  var scriptText: String? {
    switch self {
    case .button(let id): id
    case .value(let value): value.description
    case .redacted: nil
    }
  }
}
