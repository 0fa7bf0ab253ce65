public import Router

extension RouterClient {
  /// Sends a request and waits for its outcome. Canceling the task closes the connection and cancels the presentation.
  ///
  /// - Parameter idempotencyKey: The idempotency key (default: a new one, so that the client can retry after a
  ///   restart).
  public func ask(_ request: PresentationRequest, idempotencyKey: String? = nil) async throws -> Presentation {
    let key = key(idempotencyKey, for: request)
    return try await calling(isRepeatable: key != nil) { attempt in
      try await presentation(asking(request, key: key)).told(attempt)
    }
  }

  /// Sends a request and waits at most `wait` (whole seconds) for its outcome. After that the presentation is detached and
  /// outlives this process. Canceling the task during the wait cancels the presentation.
  public func ask(
    _ request: PresentationRequest, waitingAtMost wait: Duration, idempotencyKey: String? = nil
  ) async throws -> Presentation {
    let key = key(idempotencyKey, for: request)
    return try await calling(isRepeatable: key != nil) { attempt in
      let left = max(.zero, wait - attempt.elapsed).wholeSeconds
      return try await presentation(asking(request, prefer: "wait=\(left)", key: key)).told(attempt)
    }
  }

  /// Sends a detached request, which outlives this process and the daemon, without waiting for its outcome. Throws
  /// ``RouterError`` if it was refused.
  public func detach(_ request: PresentationRequest, idempotencyKey: String? = nil) async throws -> Presentation {
    let key = key(idempotencyKey, for: request)
    return try await calling(isRepeatable: key != nil) { _ in
      try await presentation(asking(request, prefer: "respond-async", key: key))
    }
  }

  /// Returns an open or ended presentation. See ``PresentationBroker/presentation(_:)``.
  public func presentation(_ id: PresentationID) async throws -> Presentation { try await presentation(id, wait: nil) }

  /// Waits until a presentation has ended. See ``PresentationBroker/resolved(_:)``.
  public func resolved(_ id: PresentationID) async throws -> Presentation {
    while true {
      // A single call waits at most an hour, so calls are repeated.
      let presentation = try await presentation(id, wait: .seconds(3600))
      if presentation.state == .resolved { return presentation }
    }
  }

  /// Returns a presentation. With `wait`, waits up to that time (whole seconds) for its outcome. Canceling the task ends only
  /// the wait. Throws ``RouterError`` with the code `notFound` if there is no such presentation.
  public func presentation(_ id: PresentationID, wait: Duration?) async throws -> Presentation {
    try await calling(isRepeatable: true) { attempt in
      var call = HTTPCall(.GET, APIPath.presentation(id))
      if let wait {
        call.headers.add(name: "Prefer", value: "wait=\(max(.zero, wait - attempt.elapsed).wholeSeconds)")
      }
      return try await presentation(call)
    }
  }

  /// Returns the open presentations in display order. See ``PresentationBroker/presentations(surface:)``.
  public func presentations(surface: String? = nil) async throws -> [Presentation] {
    try await presentations(surface: surface, app: nil, state: nil)
  }

  /// Returns open presentations in display order, filtered by surface, application and state. Reads them page by page, without
  /// missing any that stays open during the call.
  public func presentations(
    surface: String? = nil, app: String?, state: Presentation.State? = nil
  ) async throws -> [Presentation] {
    var found: [Presentation] = []
    var (cursor, pages) = (String?.none, 0)
    repeat {
      pages += 1
      let call = HTTPCall(
        .GET,
        QueryString.path(
          APIPath.presentations, ["surface": surface, "app": app, "state": state?.rawValue, "cursor": cursor]))
      let page: Page<Presentation> = try await calling(isRepeatable: true) { _ in try await reply(to: call) }
      found += page.elements
      cursor = page.next
    } while cursor != nil
    return pages == 1 ? found : found.inDisplayOrder
  }

  /// Cancels a presentation. Retries if the daemon goes away before it replies. See ``PresentationBroker/cancel(_:)``.
  @discardableResult
  public func cancel(_ id: PresentationID) async throws -> Presentation {
    try await act(Verbs.Cancel(), on: id)
  }

  /// Finishes a flow, or a screen of it, with its last answer. Never retried, since a flow ends with its daemon. Returns the
  /// presentation, without a sensitive answer.
  ///
  /// - Throws: ``RouterError``: `notAnswered` if it has no answer yet, `impossible` outside a flow.
  public func finish(_ id: PresentationID) async throws -> Presentation {
    try await act(Verbs.Finish(), on: id)
  }
}

extension Presentation {
  /// Returns the presentation to its requester. Throws if a sensitive answer was lost with a connection.
  func told(_ attempt: RouterClient.Attempt) throws -> Presentation {
    guard attempt.isRepeat, outcome == .answered(.redacted) else { return self }
    throw RouterError.answerLost
  }
}

extension RouterError {
  /// The error for a sensitive answer that was lost with the daemon's connection.
  static let answerLost = RouterError(
    .resolved, "answer lost: it was sensitive and therefore not stored, and routerd stopped before delivering it",
    outcome: .answered(.redacted))
}
