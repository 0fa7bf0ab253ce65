import Router

/// An attached request of the client. Waits to be sent, keeps its connection, is sent again after a lost connection, and ends
/// its handle once.
final class AttachedRequest: Sendable {
  let client: RouterClient
  let request: PresentationRequest
  private let call: HTTPCall
  private let onDismiss: DismissCallback?
  private let life = Mutex(AttachedRequestState())

  init(_ request: PresentationRequest, key: String?, client: RouterClient, onDismiss: DismissCallback?) {
    self.client = client
    self.request = request
    call = client.asking(request, key: key)
    self.onDismiss = onDismiss
    isRepeatable = key != nil && !request.flow
  }

  /// Whether the request may be sent again. Its key prevents a duplicate; a flow ends with its daemon.
  private let isRepeatable: Bool

  /// Creates the handle; called once. The handle retains the request, and the request retains the handle until it has
  /// ended.
  func makeHandle() -> PresentationHandle {
    let handle = PresentationHandle(withdraw: { self.withdraw() }, finish: { try await self.finish() })
    life.withLock { $0.handle = handle }
    return handle
  }

  func send() {
    // Ends with the request, or is canceled by `withdraw`.
    life.withLock { life in life.send { Task(executorPreference: CallingThread.current) { await self.converse() } } }
  }

  func settled() async {
    _ = try? await handle?.accepted()
  }

  private var handle: PresentationHandle? { life.withLock(\.handle) }

  // MARK: Connection

  /// Reads the request's stream until the request has ended, and sends it again if the stream was lost.
  private func converse() async {
    var reconnection = client.reconnection(isRepeatable: isRepeatable)
    while true {
      let failure = await readStream()
      guard let (arrival, isAway) = life.withLock({ $0.lose(at: client.clock.now()) }) else { return }
      guard isAway else { return endUnknown(failure.error) }
      do {
        try await client.wait(after: failure, arrival: arrival, with: &reconnection)
      } catch let error as RouterError {
        return fail(error)
      } catch {
        // The end of the request has canceled the task.
        return
      }
      guard life.withLock({ $0.sendAgain() }) else { return }
    }
  }

  /// Sends the request and reads its stream. Returns the failure if the stream ended before the presentation.
  private func readStream() async -> Reconnection.Failure {
    let lost = "the outcome is unknown: lost the connection to routerd at \(client.socketPath)"
    do {
      return try await client.readStream(
        call, lost: request.flow ? lost + ", which ends a flow" : lost, receive: received)
    } catch {
      return .refused(RouterError(.unreachable, "cannot ask routerd at \(client.socketPath)", cause: error))
    }
  }

  @Sendable private func received(_ event: ServerSentEvent) throws {
    switch event.name {
    case "queued", "presented": accept(event)
    // Only flows have several answers; otherwise the end event contains the answer.
    case "answered" where request.flow:
      guard let json = event.data["outcome"] else { throw JSONError("is missing", at: "/outcome") }
      guard case .answered(let answer) = try PresentationOutcome(reply: json, at: "/outcome") else {
        throw JSONError("must be an answer", at: "/outcome")
      }
      handle?.answer(answer)
    case "approved":
      guard let have = event.data["have"]?.number?.integer, let need = event.data["need"]?.number?.integer else { break }
      handle?.approved(have, of: need)
    case "resolved":
      let presentation = try Presentation(reply: event.data)
      accept(event)
      let isLost = presentation.outcome == .answered(.redacted) && life.withLock(\.wasLost)
      end(isLost ? .failure(.answerLost) : .success(presentation))
    default: break
    }
  }

  private func accept(_ event: ServerSentEvent) {
    guard let id = event.data["id"]?.string.flatMap({ PresentationID($0) }) else { return }
    let presentation = presentation(id, from: event)
    let news = life.withLock { $0.accept(presentation, at: client.clock.now()) }
    guard let (handle, withdrawing) = news else { return }
    client.watch.isThere()
    handle.accept(presentation)
    // If the first event is the end, there is nothing to cancel.
    if event.name != "resolved" { carryOut(withdrawing) }
  }

  // MARK: Ending

  /// Cancels the request. Calls the daemon if the request is recorded, so that the log shows who canceled it; otherwise closes
  /// the connection. A request without an id waits for its id for up to ``withdrawalTimeout``.
  func withdraw() { carryOut(life.withLock { $0.withdraw() }) }

  /// The wait for the daemon to confirm a canceled request before its connection is closed.
  static let withdrawalTimeout = Duration.seconds(1)

  private func carryOut(_ withdrawing: AttachedRequestState.Withdrawing) {
    switch withdrawing {
    case .nothing: break
    case .await:
      // Ends after the timeout.
      Task {
        try? await client.clock.sleep(for: Self.withdrawalTimeout)
        carryOut(life.withLock { $0.giveUp() })
      }
    case .end:
      end(.success(withdrawnHere))
      life.withLock(\.task)?.cancel()
    case .ask(let id):
      // Ends with the reply.
      Task {
        do {
          _ = try await client.presentation(HTTPCall(.DELETE, APIPath.presentation(id)))
        } catch let error as RouterError where error.code == .resolved || error.code == .shuttingDown {
          // The stream reports the outcome, or ends with the daemon.
        } catch let failure as Reconnection.Failure {
          endUnknown(failure.error)
          life.withLock(\.task)?.cancel()
        } catch {
          fail(error as? RouterError ?? RouterError(.unreachable, "cannot withdraw the prompt", cause: error))
          life.withLock(\.task)?.cancel()
        }
      }
    }
  }

  /// Ends a canceled request after the daemon went away. With reconnection enabled, it counts as canceled.
  private func endUnknown(_ error: RouterError) {
    if isRepeatable, !client.reconnect.isNever { end(.success(withdrawnHere)) } else { fail(error) }
  }

  private var withdrawnHere: Presentation { withdrawn(life.withLock(\.presentation)) }

  private func finish() async throws -> Presentation {
    await settled()
    guard let id = life.withLock(\.id) else {
      throw RouterError(.notFound, "cannot finish the prompt: it was not accepted")
    }
    return try await client.finish(id)
  }

  private func fail(_ error: RouterError) { end(.failure(error)) }

  /// Ends the handle once, and then runs the dismiss callback unless the request was refused.
  private func end(_ result: Result<Presentation, RouterError>) {
    let ended = life.withLock { $0.end(result) }
    guard let (handle, isCalledBack) = ended else { return }
    if let onDismiss, isCalledBack {
      client.callbacks.run {
        await handle.ended()
        await handle.received()
        await onDismiss()
      }
    }
    handle.end(result)
  }
}
