public import Router

extension RouterClient: RemoteBroker {
  /// Sends a request over a connection that stays open until the presentation has ended. Requests of one client keep their
  /// order.
  ///
  /// If the daemon goes away, the client sends the request again with its key. The request keeps its queue position within the
  /// daemon's grace period. After ``ReconnectPolicy/patience``, or immediately for a flow, the handle ends with a
  /// ``RouterError`` of the code `unreachable`. A handle canceled before its request is recorded ends as canceled, with an id
  /// that does not appear in the log.
  public func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle {
    submit(request, idempotencyKey: nil, onDismiss: onDismiss)
  }

  /// Sends a request with an idempotency key (default: a new one).
  public func submit(
    _ request: PresentationRequest, idempotencyKey: String?, onDismiss: (@Sendable () async -> Void)? = nil
  ) -> PresentationHandle {
    let attached = AttachedRequest(
      request, key: key(idempotencyKey, for: request), client: self, onDismiss: onDismiss)
    let handle = attached.makeHandle()
    requests.run {
      attached.send()
      await attached.settled()
    }
    return handle
  }

  /// Shows progress on an open sheet of this user.
  public func report(progress fraction: Double, label: String?, of id: PresentationID) async throws {
    let body = PresentationProgress(fraction: fraction, label: label).jsonText
    try await calling(isRepeatable: true) { _ in
      if let error = try await http.attempt(HTTPCall(.PUT, APIPath.progress(id), json: body)).error { throw error }
    }
  }

  /// Records the result of an approved act of this user. If an earlier attempt was recorded but its reply was lost, the call
  /// succeeds.
  package func report(_ report: ActReport, of id: PresentationID) async throws {
    try await calling(isRepeatable: true) { attempt in
      guard let error = try await http.attempt(HTTPCall(.PUT, APIPath.ran(id), json: JSONText(report))).error else { return }
      guard attempt.isRepeat, error.code == .resolved else { throw error }
    }
  }

  /// Attaches a presenter by reading the surface's stream.
  ///
  /// While the daemon is away, the shown presentation is withdrawn as ``Presentation/Withdrawal/disconnected``. After
  /// ``ReconnectPolicy/patience`` the events end with a ``RouterError`` of the code `unreachable`.
  public func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    attach(presenter: name, to: surface, PresenterScope())
  }

  /// Attaches a presenter that shows only some prompts of the surface.
  package func attach(presenter name: String, to surface: String, _ scope: PresenterScope) -> PresenterAttachment {
    let (events, continuation) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream()
    let query: KeyValuePairs<String, String?> = [
      "name": name, "only": scope.only?.description, "after": scope.after.map { String($0.wholeSeconds) },
      "priority": scope.priority?.rawValue,
    ]
    let call = HTTPCall(.GET, QueryString.path(APIPath.stream(surface: surface), query))
    let stream = SurfaceStream(client: self, call: call, events: continuation)
    // Canceled when the events are no longer read.
    let reading = Task { await stream.read() }
    continuation.onTermination = { _ in reading.cancel() }
    return PresenterAttachment(
      events: events,
      respond: { id, generation, response in try await self.act(response.verb, on: id, generation: generation) },
      fail: { id, generation, detail in try await self.fail(id, detail, generation: generation) })
  }
}
