import NIOCore
import NIOHTTP1
import Router

/// A request that waits for its presentation, with the exchange for its client. Called on the event loop.
final class HTTPAsker: PresentationAsker {
  enum Mode: Equatable {
    case attached
    /// Responds once the request is recorded (`Prefer: respond-async`).
    case detached
    /// Responds with the outcome, or detaches after a timeout (`Prefer: wait`).
    case waiting(Duration)
    /// Streams the progress of the request as server-sent events.
    case stream
  }

  private let mode: Mode
  private let exchange: Exchange
  private let coordinator: PresentationCoordinator
  /// Detaches the request after the timeout.
  private let timer: NIOLoopBoundBox<Scheduled<Void>?>

  init(_ mode: Mode, _ exchange: Exchange, _ coordinator: PresentationCoordinator) {
    self.mode = mode
    self.exchange = exchange
    self.coordinator = coordinator
    timer = NIOLoopBoundBox(nil, eventLoop: exchange.loop)
  }

  /// Sends a request to the coordinator, and cancels it if the client disconnects before the response.
  static func ask(
    _ valid: ValidRequest, from requester: Presentation.Requester, key: IdempotencyKey?, mode: Mode, _ call: Call,
    _ coordinator: isolated PresentationCoordinator
  ) {
    let id = coordinator.ask(
      valid, from: requester, isAdmin: call.isAdmin, mayBeCritical: call.roles.contains(.critical),
      attached: mode != .detached, readsAnswers: mode == .stream, key: key, for: HTTPAsker(mode, call.exchange, coordinator))
    call.exchange.onDisconnect { [coordinator] in coordinator.enter { $0.withdraw(id, .requesterGone) } }
  }

  var followsPosition: Bool { mode == .stream }

  func accept(_ presentation: Presentation) {
    switch mode {
    case .attached: break
    case .stream: exchange.openStream()
    case .waiting(let time):
      detach(presentation.id, after: TimeAmount(time))
    case .detached:
      // With a key, the request may have joined an attached one. `end` responds if it has ended.
      if presentation.attached {
        exchange.loop.execute { self.detach(presentation.id) }
      } else if presentation.state != .resolved {
        exchange.respond(.success(Self.detached(presentation)))
      }
    }
  }

  private func detach(_ id: PresentationID, after time: TimeAmount) {
    timer.value = exchange.loop.scheduleTask(in: time) { self.detach(id) }
  }

  private func detach(_ id: PresentationID) {
    coordinator.enter { coordinator in
      coordinator.change(id) {
        .change($0, Verbs.Detach())
      } then: { [exchange] result in
        switch result {
        case .success(let presentation): exchange.respond(.success(Self.detached(presentation)))
        // The presentation has just ended; `end` responds.
        case .failure(let error) where error.code == .resolved: break
        // The request is on record and waits on: an error would say that nothing was changed.
        case .failure(let error) where error.code == .logUnavailable: self.detach(id, after: .seconds(1))
        case .failure(let error): exchange.respond(.failure(error))
        }
      }
    }
  }

  private static func detached(_ presentation: Presentation) -> Response {
    Response(
      .accepted, json: presentation.jsonText,
      headers: ["Location": APIPath.presentation(presentation.id), "Preference-Applied": "respond-async"])
  }

  func tell(_ update: PresentationUpdate) {
    guard mode == .stream else { return }
    exchange.send(update.serverSentBytes)
    // Only flows have answers before their end.
    if case .answered = update { exchange.wipeStackSoon() }
  }

  func end(_ result: Result<Presentation, RouterError>) -> Bool {
    timer.value?.cancel()
    switch result {
    case .success(let presentation) where presentation.state == .resolved:
      let written: @Sendable () -> Void = { [coordinator, id = presentation.id] in coordinator.enter { $0.delivered(id) } }
      if mode == .stream {
        stream(presentation, written: written)
      } else {
        exchange.respond(with: result, written: mode == .detached ? nil : written)
      }
      if presentation.request.sensitive { exchange.wipeStackSoon() }
    // Another request with the same key detached the presentation.
    case .success(let presentation): exchange.respond(.success(Self.detached(presentation)))
    case .failure(let error):
      // After the stream's head, an error cannot be sent. Clients with a key reconnect.
      exchange.respond(.failure(error))
      exchange.closeStream()
    }
    return false
  }

  /// Responds with the ended presentation of an idempotency key.
  func replay(_ presentation: Presentation) {
    if mode == .stream { stream(presentation, written: {}) } else { exchange.respond(with: .success(presentation)) }
  }

  private func stream(_ presentation: Presentation, written: @escaping @Sendable () -> Void) {
    let end = ServerSentEvent.bytes(name: "resolved", data: presentation.jsonText)
    // A flow's answers were sent at the time.
    if case .answered? = presentation.outcome, let outcome = presentation.recordedOutcome, !presentation.request.flow {
      exchange.send(AnsweredEvent(id: presentation.id, generation: presentation.generation, outcome).serverSentBytes)
    }
    exchange.send(end, written: written)
    exchange.closeStream()
  }
}

extension PresentationUpdate {
  fileprivate var serverSentBytes: [UInt8] {
    switch self {
    case .queued(let id, let position): QueuedEvent(id: id, position: position).serverSentBytes
    case .presented(let id, let generation): PresentedEvent(id: id, generation: generation).serverSentBytes
    case .approved(let id, let have, let need): ApprovedEvent(id: id, have: have, need: need).serverSentBytes
    case .answered(let id, let generation, let answer):
      AnsweredEvent(id: id, generation: generation, RecordedOutcome(.answered(answer), AnswerExtra())).serverSentBytes
    }
  }
}
