/// What enters the coordinator's mailbox.
enum CoordinatorMessage: Sendable {
  case ask(Ask)
  /// A presenter or a requester did something and waits for what becomes of it.
  case act(Action, PresentationHandle)
  /// An asker is gone, or has cancelled its task.
  case takeBack(PresentationID, CancellationReason)
  /// An attached request lives on without its connection from now on.
  case detach(PresentationID, PresentationHandle)
  /// The end of what somebody wanted to act on was on its way to the record, and has come there or failed.
  case refuseEnded(PresentationID, PresentationHandle)
  /// Somebody waits for the end of a presentation that somebody else asked for.
  case watch(PresentationID, Int, PresentationHandle)
  case unwatch(PresentationID, Int)
  case attachPresenter(PresenterSeat)
  case detachPresenter(PresenterID)
  /// Something worth recording happened that changes nothing.
  case note(AuditEntry)
  /// A dismiss callback has run.
  case calledBack(AuditEntry)
  /// What became of a try to call a program back.
  case triedToCallBack(PresentationID, PresentationCoordinator.CallbackResult)
  /// What became of an append to the log.
  case committed(number: Int, Result<Void, RouterError>)
  /// Time has passed.
  case tick
  /// Somebody wants to know that messages are taken and the log's thread turns.
  case turn(@Sendable () -> Void)
  case shutDown(CheckedContinuation<Void, Never>)

  /// A request as it was made.
  struct Ask: Sendable {
    let id: PresentationID
    let request: PresentationRequest
    let requester: Requester
    let isAdmin: Bool
    let attached: Bool
    let key: IdempotencyKey?
    let handle: PresentationHandle
    let onDismiss: DismissCallback?
    let progress: (@Sendable (PresentationUpdate) -> Void)?
    /// Whether the outcome is delivered when the handle's waiter is resumed; else whoever carries it further says when.
    let isDeliveredByHandle: Bool
  }

  /// What is done to an open presentation.
  struct Action: Sendable {
    enum Verb: Sendable {
      case answer(PresentationAnswer)
      case dismiss
      case fail(String)
      case cancel(isAdmin: Bool)
      case finish(isAdmin: Bool)
    }

    var id: PresentationID
    let verb: Verb
    let generation: Int?
    let by: Resolver
  }
}

/// A presenter that is attached, and where its events go.
struct PresenterSeat: Sendable {
  let id: PresenterID
  let name: String
  let surface: String
  let process: ProcessIdentity
  let since: Timestamp
  let events: AsyncThrowingStream<PresenterEvent, any Error>.Continuation

  /// How many events a presenter may leave unread before it is taken for lost.
  static let maximumUnread = 256

  /// Tells the presenter; one that does not read loses its seat.
  func tell(_ event: PresenterEvent) {
    if case .dropped = events.yield(event) {
      events.finish(throwing: RouterError(.full, "cannot go on: the presenter left \(Self.maximumUnread) events unread"))
    }
  }

  var json: JSONValue {
    ["name": .string(name), "uid": .integer(Int(process.uid)), "since": .string(since.description)]
  }
}
