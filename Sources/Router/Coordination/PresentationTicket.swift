/// What the rules need to know of a request, and nothing else of it.
public struct PresentationTicket: Sendable, Hashable {
  public var id: PresentationID
  /// Whose it is.
  public var uid: UInt32
  /// Whether the requester may supersede what belongs to others.
  public var isAdmin: Bool
  public var priority: PresentationPriority
  public var conflictPolicy: ConflictPolicy
  public var noPresenter: NoPresenterPolicy
  public var over: PresentationID?
  /// Whether it is part of a flow: it stays after an answer.
  public var flow: Bool
  public var timeout: Duration?
  public var queueTimeout: Duration?
  public var shownTimeout: Duration?

  public init(
    id: PresentationID, uid: UInt32, isAdmin: Bool = false, priority: PresentationPriority = .normal,
    conflictPolicy: ConflictPolicy = .enqueue, noPresenter: NoPresenterPolicy = .wait, over: PresentationID? = nil,
    flow: Bool = false, timeout: Duration? = nil, queueTimeout: Duration? = nil, shownTimeout: Duration? = nil
  ) {
    self.id = id
    self.uid = uid
    self.isAdmin = isAdmin
    self.priority = priority
    self.conflictPolicy = conflictPolicy
    self.noPresenter = noPresenter
    self.over = over
    self.flow = flow
    self.timeout = timeout
    self.queueTimeout = queueTimeout
    self.shownTimeout = shownTimeout
  }

  /// The ticket of a request.
  public init(_ request: PresentationRequest, id: PresentationID, uid: UInt32, isAdmin: Bool) {
    self.init(
      id: id, uid: uid, isAdmin: isAdmin, priority: request.priority, conflictPolicy: request.conflictPolicy,
      noPresenter: request.noPresenter, over: request.over, flow: request.flow, timeout: request.timeout,
      queueTimeout: request.queueTimeout, shownTimeout: request.shownTimeout)
  }
}
