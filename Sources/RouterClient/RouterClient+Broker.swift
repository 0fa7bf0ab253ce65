public import Router

extension RouterClient: PresentationBroker {
  /// Asks over a connection that lives until the presentation has ended. Requests of one client keep their order.
  ///
  /// When the daemon goes away, the request is sent again with its key, and keeps its place within the daemon's grace period.
  /// After ``ReconnectPolicy/patience``, and at once for a flow, the handle ends with a ``RouterError`` of the code
  /// `unreachable`. A handle canceled before its request is recorded ends as canceled, with an id that is in no log.
  public func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    submit(request, idempotencyKey: nil, onDismiss: onDismiss)
  }

  /// Asks at most once for each key; without one, the client makes one for this request.
  public func submit(
    _ request: PresentationRequest, idempotencyKey: String?, onDismiss: DismissCallback? = nil
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

  /// Attaches a presenter by reading the surface's stream.
  ///
  /// While the daemon is away, what is shown is withdrawn as ``PresenterEvent/Withdrawal/disconnected``. After
  /// ``ReconnectPolicy/patience`` the events end with a ``RouterError`` of the code `unreachable`.
  public func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    let (events, continuation) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream()
    let call = HTTPCall(.GET, QueryString.path(APIPath.stream(surface: surface), ["name": name]))
    let stream = SurfaceStream(client: self, call: call, events: continuation)
    // Ended by whoever reads the events: when they are let go of, or the reading task is cancelled.
    let reading = Task { await stream.read() }
    continuation.onTermination = { _ in reading.cancel() }
    return PresenterAttachment(
      events: events,
      respond: { id, generation, response in
        switch response {
        case .answer(let answer): try await self.answer(id, answer, generation: generation)
        case .dismiss: try await self.dismiss(id, generation: generation)
        }
      },
      fail: { id, generation, detail in try await self.fail(id, detail, generation: generation) })
  }
}
