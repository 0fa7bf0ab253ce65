import NIOHTTP1
public import Router

extension RouterClient: PresentationBroker {
  /// Asks over a connection of its own that lives until the presentation has ended.
  ///
  /// Requests of one client reach the daemon in the order in which they were submitted. A handle that is cancelled before its
  /// request is on record ends as cancelled, requester, with an id that is in no log. If the daemon goes away, the handle
  /// ends with a ``RouterError`` of the code `unreachable`.
  public func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    submit(request, idempotencyKey: nil, onDismiss: onDismiss)
  }

  /// Asks at most once for each key.
  public func submit(
    _ request: PresentationRequest, idempotencyKey: String?, onDismiss: DismissCallback? = nil
  ) -> PresentationHandle {
    let attached = AttachedRequest(
      request, call: asking(request, idempotencyKey: idempotencyKey), client: self, onDismiss: onDismiss)
    let handle = attached.makeHandle()
    mailbox.submit(attached)
    return handle
  }

  /// Attaches a presenter by reading the surface's stream.
  public func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    let (events, continuation) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream()
    // Ended by whoever reads the events: when they are let go of, or the reading task is cancelled.
    let reading = Task {
      do {
        var query = QueryString(path: APIPath.stream(surface: surface))
        query.add("name", name)
        try await http.events(of: HTTPCall(.GET, query.text)) { event in
          if let event = try PresenterEvent(event) { continuation.yield(event) }
        }
        throw RouterError(.unreachable, "cannot present any longer: routerd at \(socketPath) has closed the stream")
      } catch {
        continuation.finish(throwing: error)
      }
    }
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
