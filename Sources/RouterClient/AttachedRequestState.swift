import Router

/// The state machine of an attached request. It performs no I/O; its inputs return the action to take.
struct AttachedRequestState {
  private enum Phase {
    /// Queued in the client; not sent yet.
    case waiting
    /// Sent; the daemon has not confirmed that the request is recorded.
    case sent
    /// Recorded at a time.
    case accepted(at: Duration)
    /// The connection was lost; waiting to send the request again.
    case away
    case withdrawing
    case ended
  }

  enum Withdrawing {
    case nothing
    /// End the request locally and cancel its task.
    case end
    case ask(PresentationID)
    /// Wait for the daemon to confirm the request, and then cancel it there; gives up after a short time.
    case await
  }

  private var phase = Phase.waiting
  var handle: PresentationHandle?
  private(set) var task: Task<Void, Never>?
  /// The last state reported by the daemon; `nil` until the request is recorded.
  private(set) var presentation: Presentation?
  private(set) var id: PresentationID?
  private(set) var wasLost = false
  /// Whether to cancel the request as soon as the daemon reports its id.
  private var isUnwanted = false

  /// Starts sending, unless the request was canceled.
  mutating func send(_ start: () -> Task<Void, Never>) {
    guard case .waiting = phase else { return }
    phase = .sent
    task = start()
  }

  /// Handles the daemon's confirmation. Returns the handle on the first confirmation of each connection, and the cancellation
  /// to perform for a request that is no longer wanted.
  mutating func accept(_ presentation: Presentation, at now: Duration) -> (
    handle: PresentationHandle, withdrawing: Withdrawing
  )? {
    guard case .sent = phase, let handle else { return nil }
    self.presentation = presentation
    id = presentation.id
    phase = isUnwanted ? .withdrawing : .accepted(at: now)
    return (handle, isUnwanted ? .ask(presentation.id) : .nothing)
  }

  /// Handles the end of the stream. Returns the time at which the request was recorded, and whether to send it again; `nil` if
  /// the request has ended.
  mutating func lose(at now: Duration) -> (arrival: Duration?, isAway: Bool)? {
    var arrival: Duration?
    switch phase {
    case .sent where isUnwanted, .withdrawing: return (nil, false)
    case .sent: break
    case .accepted(let time): arrival = time
    case .ended: return nil
    case .waiting, .away: preconditionFailure("a stream was lost before it was opened")
    }
    wasLost = true
    phase = .away
    return (arrival, true)
  }

  /// Handles the end of the reconnect delay. Returns whether to send the request again.
  mutating func sendAgain() -> Bool {
    guard case .away = phase else { return false }
    phase = .sent
    return true
  }

  /// Cancels the request on behalf of its requester.
  mutating func withdraw() -> Withdrawing {
    switch phase {
    case .waiting, .away: return .end
    case .sent where !isUnwanted:
      isUnwanted = true
      return .await
    case .accepted:
      guard let id else { return .end }
      phase = .withdrawing
      return .ask(id)
    case .sent, .withdrawing, .ended: return .nothing
    }
  }

  /// Handles the timeout of ``Withdrawing/await``.
  func giveUp() -> Withdrawing {
    if case .sent = phase, isUnwanted { .end } else { .nothing }
  }

  /// Handles the result. Returns the handle to end, once, and whether to run the dismiss callback, which is skipped for refused
  /// requests.
  mutating func end(_ result: Result<Presentation, RouterError>) -> (handle: PresentationHandle, isCalledBack: Bool)? {
    guard let handle else { return nil }
    phase = .ended
    if case .success(let ended) = result { id = ended.id }
    (self.handle, presentation) = (nil, nil)
    return (handle, id != nil)
  }
}
