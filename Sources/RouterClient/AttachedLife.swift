import Router

/// Where an attached request is in its life: a value without I/O, whose inputs say what is to be done.
struct AttachedLife {
  /// What goes on while the request is out.
  struct Errand {
    let handle: PresentationHandle
    let task: Task<Void, Never>
    /// As the daemon last told of it; `nil` before it is on record.
    var presentation: Presentation?
    /// Whether a connection was lost.
    var wasLost = false
    /// Whether it is to be taken back as soon as the daemon says by which id.
    var isUnwanted = false
  }

  enum State {
    /// In the mailbox; nothing has been sent.
    case waiting(PresentationHandle)
    /// On its connection; the daemon has not said yet that it is on record, or still is.
    case sent(Errand)
    /// On record, since when.
    case accepted(Errand, at: Duration)
    /// Its connection was lost, and it waits to be sent again.
    case away(Errand)
    /// On record, and the daemon was asked to take it back.
    case takingBack(Errand, PresentationID)
    /// The handle has its result. The id is `nil` for what was refused.
    case ended(PresentationID?)
  }

  /// What to do to take a request back.
  enum TakingBack {
    case nothing
    /// End it here, and its conversation.
    case end(Task<Void, Never>?)
    /// Ask the daemon to.
    case ask(PresentationID, Task<Void, Never>)
    /// Wait until the daemon says that it is on record, and then ask; not for long.
    case await
  }

  /// `nil` until there is a handle.
  var state: State?

  // MARK: What is known

  /// The handle, until it has its result.
  var handle: PresentationHandle? {
    switch state {
    case .waiting(let handle): handle
    case .sent(let errand), .accepted(let errand, _), .away(let errand), .takingBack(let errand, _): errand.handle
    case .ended, nil: nil
    }
  }

  private var errand: Errand? {
    switch state {
    case .sent(let errand), .accepted(let errand, _), .away(let errand), .takingBack(let errand, _): errand
    case .waiting, .ended, nil: nil
    }
  }

  /// As the daemon last told of it.
  var presentation: Presentation? { errand?.presentation }
  /// Whether a connection was lost.
  var wasLost: Bool { errand?.wasLost ?? false }

  /// The id that it is on record by.
  var id: PresentationID? {
    if case .ended(let id) = state { id } else { presentation?.id }
  }

  // MARK: Inputs

  /// Its turn has come.
  mutating func send(_ start: () -> Task<Void, Never>) {
    guard case .waiting(let handle) = state else { return }
    state = .sent(Errand(handle: handle, task: start()))
  }

  /// The daemon has recorded the request. Returns the handle if that is new, and what to do if it is no longer wanted.
  mutating func accept(_ presentation: Presentation, at now: Duration) -> (handle: PresentationHandle, takingBack: TakingBack)?
  {
    guard case .sent(var errand) = state else { return nil }
    errand.presentation = presentation
    guard errand.isUnwanted else {
      state = .accepted(errand, at: now)
      return (errand.handle, .nothing)
    }
    state = .takingBack(errand, presentation.id)
    return (errand.handle, .ask(presentation.id, errand.task))
  }

  /// The stream has ended. Returns when the request was recorded, and whether to send it again; `nil` if it has ended.
  mutating func lose(at now: Duration) -> (arrival: Duration?, isAway: Bool)? {
    switch state {
    case .sent(let errand) where errand.isUnwanted: return (nil, false)
    case .sent(var errand):
      errand.wasLost = true
      state = .away(errand)
      return (nil, true)
    case .accepted(var errand, let arrival):
      errand.wasLost = true
      state = .away(errand)
      return (arrival, true)
    case .takingBack: return (nil, false)
    case .ended: return nil
    case .waiting, .away, nil: preconditionFailure("a stream was lost that was not there")
    }
  }

  /// The wait is over. Returns whether to send the request again.
  mutating func sendAgain() -> Bool {
    guard case .away(let errand) = state else { return false }
    state = .sent(errand)
    return true
  }

  /// Its requester does not want it any more.
  mutating func takeBack() -> TakingBack {
    switch state {
    case .waiting: return .end(nil)
    case .sent(let errand) where errand.isUnwanted: return .nothing
    case .sent(var errand):
      errand.isUnwanted = true
      state = .sent(errand)
      return .await
    case .away(let errand): return .end(errand.task)
    case .accepted(let errand, _):
      guard let id = errand.presentation?.id else { return .end(errand.task) }
      state = .takingBack(errand, id)
      return .ask(id, errand.task)
    case .takingBack, .ended, nil: return .nothing
    }
  }

  /// The daemon has had its time to say that it is on record.
  mutating func giveUp() -> TakingBack {
    guard case .sent(let errand) = state, errand.isUnwanted else { return .nothing }
    return .end(errand.task)
  }

  /// The result is there. Returns the handle to end, once, and whether to call back: refused requests are not called back.
  mutating func end(_ result: Result<Presentation, RouterError>) -> (handle: PresentationHandle, isCalledBack: Bool)? {
    let id = (try? result.get())?.id
    guard let handle else { return nil }
    let onRecord = presentation?.id
    state = .ended(id ?? onRecord)
    return (handle, id != nil || onRecord != nil)
  }
}
