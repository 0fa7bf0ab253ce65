import Router

/// One request that was handed to the client: it waits to be sent, lives on its connection, and ends its handle once.
final class AttachedRequest: Sendable {
  private enum State {
    /// In the mailbox; nothing has been sent.
    case waiting(PresentationHandle)
    /// On its connection; the daemon has not said yet that it is on record.
    case sent(PresentationHandle, Task<Void, Never>)
    /// On record.
    case accepted(PresentationHandle, Task<Void, Never>, Presentation)
    /// On record, and the daemon was asked to take it back.
    case takingBack(PresentationHandle, Task<Void, Never>, PresentationID)
    /// The handle has its result. The id is `nil` for what was refused.
    case ended(PresentationID?)
  }

  private let client: RouterClient
  private let request: PresentationRequest
  private let call: HTTPCall
  private let onDismiss: DismissCallback?
  private let state: Mutex<State?> = Mutex(nil)

  init(
    _ request: PresentationRequest, call: HTTPCall, client: RouterClient, onDismiss: DismissCallback?
  ) {
    self.client = client
    self.request = request
    self.call = call
    self.onDismiss = onDismiss
  }

  /// The handle, made once. It keeps the request, and the request keeps it until it has ended.
  func makeHandle() -> PresentationHandle {
    let handle = PresentationHandle(takeBack: { self.takeBack() }, finish: { try await self.finish() })
    state.withLock { $0 = .waiting(handle) }
    return handle
  }

  /// Sends the request, unless it was taken back before.
  func send() {
    state.withLock { state in
      guard case .waiting(let handle) = state else { return }
      // Ends with its connection: by the stream's end, or by `takeBack`.
      state = .sent(handle, Task { await self.converse() })
    }
  }

  /// Waits until it is known whether the daemon accepts the request.
  func settled() async {
    _ = try? await handle?.accepted()
  }

  /// The handle, until it has its result.
  private var handle: PresentationHandle? {
    state.withLock { state in
      switch state {
      case .waiting(let handle), .sent(let handle, _), .accepted(let handle, _, _), .takingBack(let handle, _, _): handle
      case .ended, nil: nil
      }
    }
  }

  /// Reads the request's stream until it has ended.
  private func converse() async {
    do {
      try await client.http.events(of: call) { event in try self.received(event) }
      fail(RouterError(.unreachable, "cannot tell how the presentation ended: routerd at \(client.socketPath) went away"))
    } catch let error as RouterError {
      fail(error)
    } catch {
      fail(RouterError(.unreachable, "cannot ask routerd at \(client.socketPath)", cause: error))
    }
  }

  private func received(_ event: ServerSentEvent) throws {
    switch event.name {
    case "queued", "presented": accept(event)
    // Anything but a flow is answered once, and its end says how.
    case "answered" where request.flow:
      guard let json = event.data["outcome"] else { throw JSONError("is missing", at: "/outcome") }
      guard case .answered(let answer) = try PresentationOutcome(json: json, at: "/outcome") else {
        throw JSONError("must be an answer", at: "/outcome")
      }
      handle?.answer(answer)
    case "resolved":
      let presentation = try Presentation(json: event.data)
      accept(event)
      end(.success(presentation))
    default: break
    }
  }

  /// The stream's first event means that the request is on record.
  private func accept(_ event: ServerSentEvent) {
    guard let id = event.data["id"]?.string.flatMap({ PresentationID($0) }) else { return }
    let accepted = state.withLock { state -> (PresentationHandle, Presentation)? in
      guard case .sent(let handle, let task) = state else { return nil }
      let presentation = presentation(id, from: event)
      state = .accepted(handle, task, presentation)
      return (handle, presentation)
    }
    if let (handle, presentation) = accepted { handle.accept(presentation) }
  }

  /// The presentation as the first event tells it: what the event leaves out is known here.
  private func presentation(_ id: PresentationID, from event: ServerSentEvent) -> Presentation {
    let isPresented = event.name == "presented"
    var presentation = Presentation(
      id: id, state: isPresented ? .presented : .queued, position: event.data["position"]?.number?.integer ?? 0,
      generation: event.data["generation"]?.number?.integer ?? 0,
      requester: Requester(app: request.app ?? client.app ?? ProcessIdentity.current.name, process: .current), request: request,
      requestedAt: PresentationClock.system.wall())
    if isPresented { presentation.presentedAt = presentation.requestedAt }
    return presentation
  }

  /// Takes the presentation away: before it is on record by closing the connection, afterwards by asking the daemon, so
  /// that the record says that its requester took it back, not that it was lost.
  func takeBack() {
    enum Step {
      case nothing
      case end(Task<Void, Never>?)
      case ask(PresentationID, Task<Void, Never>)
    }
    let step = state.withLock { state -> Step in
      switch state {
      case .waiting: return .end(nil)
      case .sent(_, let task): return .end(task)
      case .accepted(let handle, let task, let presentation):
        state = .takingBack(handle, task, presentation.id)
        return .ask(presentation.id, task)
      case .takingBack, .ended, nil: return .nothing
      }
    }
    switch step {
    case .nothing: break
    case .end(let connection):
      end(.success(neverAccepted))
      connection?.cancel()
    case .ask(let id, let connection):
      // Ends with the call's reply. When it is refused because the presentation has ended, the stream says how.
      Task {
        do {
          _ = try await client.cancel(id)
        } catch let error as RouterError where error.code == .resolved {
        } catch {
          fail(error as? RouterError ?? RouterError(.unreachable, "cannot take the presentation back", cause: error))
          connection.cancel()
        }
      }
    }
  }

  /// Finishes a flow, once it is known by which id the daemon has it.
  private func finish() async throws -> Presentation {
    await settled()
    let id = state.withLock { state -> PresentationID? in
      switch state {
      case .accepted(_, _, let presentation): presentation.id
      case .takingBack(_, _, let id): id
      case .ended(let id): id
      case .waiting, .sent, nil: nil
      }
    }
    guard let id else { throw RouterError(.notFound, "cannot finish the presentation: it was not accepted") }
    return try await client.finish(id)
  }

  /// What becomes of a request that is taken back before the daemon has said that it is on record.
  private var neverAccepted: Presentation {
    let now = PresentationClock.system.wall()
    let process = ProcessIdentity.current
    return Presentation(
      id: PresentationIDGenerator().next(at: now), state: .resolved,
      requester: Requester(app: request.app ?? client.app ?? process.name, process: process), request: request,
      requestedAt: now, resolvedAt: now, outcome: .cancelled(.requester), resolvedBy: Resolver(process: process))
  }

  private func fail(_ error: RouterError) { end(.failure(error)) }

  /// Gives the handle its result, once, and then calls back; a request that was refused is not called back.
  private func end(_ result: Result<Presentation, RouterError>) {
    let (handle, wasRefused) = state.withLock { state -> (PresentationHandle?, Bool) in
      let id = (try? result.get())?.id
      switch state {
      case .waiting(let handle):
        state = .ended(id)
        return (handle, false)
      case .sent(let handle, _):
        state = .ended(id)
        return (handle, id == nil)
      case .accepted(let handle, _, let presentation):
        state = .ended(presentation.id)
        return (handle, false)
      case .takingBack(let handle, _, let id):
        state = .ended(id)
        return (handle, false)
      case .ended, nil: return (nil, false)
      }
    }
    guard let handle else { return }
    handle.end(result)
    guard let onDismiss, !wasRefused else { return }
    client.callbacks.run {
      await handle.received()
      await onDismiss()
    }
  }
}
