extension PresenterEvent {
  /// The event encoded for a surface's stream.
  package var serverSentBytes: [UInt8] {
    switch self {
    case .present(let presentation, let waiting): PresentEvent(presentation, waiting: waiting).serverSentBytes
    case .withdraw(let id, let generation, let reason):
      WithdrawEvent(id: id, generation: generation, reason: reason).serverSentBytes
    case .queue(let waiting): QueueEvent(waiting: waiting).serverSentBytes
    case .progress(let id, let fraction, let label):
      ProgressEvent(id: id, PresentationProgress(fraction: fraction, label: label)).serverSentBytes
    }
  }

  /// Decodes the output of ``serverSentBytes``; `nil` for an unknown event name, which a newer daemon may send.
  package init?(_ event: ServerSentEvent) throws(JSONError) {
    switch event.name {
    case PresentEvent.eventName:
      let event = try PresentEvent(reply: event.data)
      self = .present(event.presentation, waiting: event.waiting)
    case WithdrawEvent.eventName:
      let event = try WithdrawEvent(reply: event.data)
      self = .withdraw(event.id, generation: event.generation, reason: event.reason)
    case ProgressEvent.eventName:
      let event = try ProgressEvent(reply: event.data)
      self = .progress(event.id, event.progress)
    case QueueEvent.eventName: self = .queue(waiting: try QueueEvent(reply: event.data).waiting)
    default: return nil
    }
  }
}
