public import Router

extension RouterClient {
  /// Asks and waits for the outcome. Canceling the task closes the connection and takes the presentation back.
  ///
  /// - Parameter idempotencyKey: The caller's key; by default the client makes one, so that it can ask again after a restart.
  public func ask(_ request: PresentationRequest, idempotencyKey: String? = nil) async throws -> Presentation {
    let key = key(idempotencyKey, for: request)
    return try await calling(isRepeatable: key != nil) { attempt in
      try await presentation(asking(request, key: key)).told(attempt)
    }
  }

  /// Asks and waits at most `wait` (whole seconds) for the outcome. After that the presentation is detached and outlives this
  /// process. Canceling the task before that takes it back.
  public func ask(
    _ request: PresentationRequest, waitingAtMost wait: Duration, idempotencyKey: String? = nil
  ) async throws -> Presentation {
    let key = key(idempotencyKey, for: request)
    return try await calling(isRepeatable: key != nil) { attempt in
      let left = max(.zero, wait - attempt.elapsed).wholeSeconds
      return try await presentation(asking(request, prefer: "wait=\(left)", key: key)).told(attempt)
    }
  }

  /// Asks and does not wait: the presentation outlives this process and the daemon.
  public func detach(_ request: PresentationRequest, idempotencyKey: String? = nil) async throws -> Presentation {
    let key = key(idempotencyKey, for: request)
    return try await calling(isRepeatable: key != nil) { _ in
      try await presentation(asking(request, prefer: "respond-async", key: key))
    }
  }

  /// Returns a presentation, after waiting up to `wait` (whole seconds) for its outcome.
  public func presentation(_ id: PresentationID, wait: Duration? = nil) async throws -> Presentation {
    try await calling(isRepeatable: true) { attempt in
      var call = HTTPCall(.GET, APIPath.presentation(id))
      if let wait {
        call.headers.add(name: "Prefer", value: "wait=\(max(.zero, wait - attempt.elapsed).wholeSeconds)")
      }
      return try await presentation(call)
    }
  }

  /// Returns the open presentations by surface, in the order in which they will be shown.
  public func presentations(
    surface: String? = nil, app: String? = nil, state: Presentation.State? = nil
  ) async throws -> [Presentation] {
    var found: [Presentation] = []
    var cursor: String?
    repeat {
      let call = HTTPCall(
        .GET,
        QueryString.path(
          APIPath.presentations, ["surface": surface, "app": app, "state": state?.rawValue, "cursor": cursor]))
      let page = try await calling(isRepeatable: true) { _ in try await json(call) }
      do {
        for (index, element) in (page["presentations"]?.array ?? []).enumerated() {
          found.append(try Presentation(json: element, at: "/presentations/\(index)"))
        }
      } catch {
        throw http.misunderstood(error.description)
      }
      cursor = page["next"]?.string
    } while cursor != nil
    return found
  }

  /// Takes a presentation back. If the daemon goes away before it replies, the call is repeated.
  public func cancel(_ id: PresentationID) async throws -> Presentation {
    let call = HTTPCall(.DELETE, APIPath.presentation(id))
    return try await calling(isRepeatable: true) { attempt in
      do {
        return try await presentation(call)
      } catch let error as RouterError where attempt.isRepeat && error.isTakenBack {
        return try await presentation(HTTPCall(.GET, APIPath.presentation(id)))
      }
    }
  }

  /// Ends a flow, or a screen of it, with its last answer. Never repeated, since a flow ends with its daemon. Returns the
  /// presentation, without a sensitive answer.
  ///
  /// - Throws: ``RouterError``: `notAnswered` if it has no answer yet, `impossible` if it is not part of a flow.
  public func finish(_ id: PresentationID) async throws -> Presentation {
    try await calling(isRepeatable: false) { _ in try await presentation(HTTPCall(.POST, APIPath.finish(id))) }
  }
}

extension RouterError {
  /// Whether it says that somebody has taken the presentation back.
  fileprivate var isTakenBack: Bool { outcome == .cancelled(.requester) || outcome == .cancelled(.admin) }
}

extension Presentation {
  /// The presentation for its requester. Throws if a sensitive answer went to a connection that was lost.
  func told(_ attempt: RouterClient.Attempt) throws -> Presentation {
    guard attempt.isRepeat, outcome == .answered(.redacted) else { return self }
    throw RouterError.answerLost
  }
}

extension RouterError {
  /// What was answered to a sensitive request went down with the daemon.
  static let answerLost = RouterError(
    .resolved, "cannot have the answer: it was given and is on no record, for it is sensitive, and routerd went away with it",
    outcome: .answered(.redacted))
}
