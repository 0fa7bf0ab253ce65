import Router

/// A broker without rules that records requests and ends them as the script or the test says.
final class ScriptedBroker: PartialBroker {
  enum Reply: Sendable {
    case end(PresentationOutcome)
    case refuse(RouterError)
    /// Stays open until `end(_:at:)` is called or the request is canceled.
    case wait
  }

  private struct State {
    var requests: [PresentationRequest] = []
    var open: [Int: (handle: PresentationHandle, onDismiss: DismissCallback?)] = [:]
    var withdrawn: [Int] = []
  }

  private let state = Mutex(State())
  private let ids = PresentationIDGenerator()
  private let reply: @Sendable (PresentationRequest) -> Reply
  private let submissionsContinuation: AsyncStream<Int>.Continuation
  /// The indices of requests as they arrive.
  let submissions: AsyncStream<Int>

  init(reply: @escaping @Sendable (PresentationRequest) -> Reply = { _ in .wait }) {
    self.reply = reply
    (submissions, submissionsContinuation) = AsyncStream.makeStream()
  }

  convenience init(_ outcome: PresentationOutcome) {
    self.init { _ in .end(outcome) }
  }

  /// The requests in order.
  var requests: [PresentationRequest] { state.withLock(\.requests) }

  /// The indices of canceled requests.
  var withdrawn: [Int] { state.withLock(\.withdrawn) }

  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    let index = state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    let handle = PresentationHandle { [weak self] in
      self?.state.withLock { $0.withdrawn.append(index) }
      self?.end(.cancelled(.requester), at: index)
    }
    state.withLock { $0.open[index] = (handle, onDismiss) }
    submissionsContinuation.yield(index)
    switch reply(request) {
    case .end(let outcome): end(outcome, at: index)
    case .refuse(let error):
      _ = state.withLock { $0.open.removeValue(forKey: index) }
      handle.end(.failure(error))
    case .wait: handle.accept(presentation(of: request))
    }
    return handle
  }

  /// Ends a request. Further calls are ignored.
  func end(_ outcome: PresentationOutcome, at index: Int) {
    guard let (handle, onDismiss) = state.withLock({ $0.open.removeValue(forKey: index) }) else { return }
    var presentation = presentation(of: requests[index])
    presentation.state = .resolved
    presentation.outcome = outcome
    handle.end(.success(presentation))
    // Ends when the callback has returned.
    if let onDismiss { Task { await onDismiss() } }
  }

  private func presentation(of request: PresentationRequest) -> Presentation {
    Presentation(
      id: ids.next(at: Timestamp(milliseconds: 0)),
      requester: Presentation.Requester(app: "test", process: ProcessIdentity(uid: 1, gid: 1, pid: 1)), request: request,
      requestedAt: Timestamp(milliseconds: 0))
  }
}
