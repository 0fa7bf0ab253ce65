import Router

/// Where an attached request is in its life: a value without I/O, whose inputs return what to do.
struct AttachedLife {
  private enum Phase {
    /// In line; nothing has been sent.
    case waiting
    /// On its connection; the daemon has not said yet that it is on record, or still is.
    case sent
    /// On record, since when.
    case accepted(at: Duration)
    /// Its connection was lost, and it waits to be sent again.
    case away
    case takingBack
    case ended
  }

  enum TakingBack {
    case nothing
    /// End it here, and its conversation.
    case end
    case ask(PresentationID)
    /// Wait until the daemon says that it is on record, and then ask; not for long.
    case await
  }

  private var phase = Phase.waiting
  var handle: PresentationHandle?
  private(set) var task: Task<Void, Never>?
  /// As the daemon last told of it; `nil` before it is on record.
  private(set) var presentation: Presentation?
  private(set) var id: PresentationID?
  private(set) var wasLost = false
  /// Whether to take it back as soon as the daemon says by which id.
  private var isUnwanted = false

  /// Its turn has come.
  mutating func send(_ start: () -> Task<Void, Never>) {
    guard case .waiting = phase else { return }
    phase = .sent
    task = start()
  }

  /// The daemon has recorded the request. Returns the handle if that is new, and what to do if it is no longer wanted.
  mutating func accept(_ presentation: Presentation, at now: Duration) -> (handle: PresentationHandle, takingBack: TakingBack)?
  {
    guard case .sent = phase, let handle else { return nil }
    self.presentation = presentation
    id = presentation.id
    phase = isUnwanted ? .takingBack : .accepted(at: now)
    return (handle, isUnwanted ? .ask(presentation.id) : .nothing)
  }

  /// The stream has ended. Returns when the request was recorded, and whether to send it again; `nil` if it has ended.
  mutating func lose(at now: Duration) -> (arrival: Duration?, isAway: Bool)? {
    var arrival: Duration?
    switch phase {
    case .sent where isUnwanted, .takingBack: return (nil, false)
    case .sent: break
    case .accepted(let time): arrival = time
    case .ended: return nil
    case .waiting, .away: preconditionFailure("a stream was lost that was not there")
    }
    wasLost = true
    phase = .away
    return (arrival, true)
  }

  /// The wait is over. Returns whether to send the request again.
  mutating func sendAgain() -> Bool {
    guard case .away = phase else { return false }
    phase = .sent
    return true
  }

  /// Its requester does not want it any more.
  mutating func takeBack() -> TakingBack {
    switch phase {
    case .waiting, .away: return .end
    case .sent where !isUnwanted:
      isUnwanted = true
      return .await
    case .accepted:
      guard let id else { return .end }
      phase = .takingBack
      return .ask(id)
    case .sent, .takingBack, .ended: return .nothing
    }
  }

  /// The daemon has had its time to say that it is on record.
  func giveUp() -> TakingBack {
    if case .sent = phase, isUnwanted { .end } else { .nothing }
  }

  /// The result is there. Returns the handle to end, once, and whether to call back: refused requests are not called back.
  mutating func end(_ result: Result<Presentation, RouterError>) -> (handle: PresentationHandle, isCalledBack: Bool)? {
    guard let handle else { return nil }
    phase = .ended
    if case .success(let ended) = result { id = ended.id }
    (self.handle, presentation) = (nil, nil)
    return (handle, id != nil)
  }
}
