import HTTPTypes
import Hummingbird
import Router

/// Asking: `/v1/presentations`, for requesters.
struct PresentationRoutes: Sendable {
  let coordinator: PresentationCoordinator
  let bodyBytes: Int

  /// How long a page may get before it ends, in bytes.
  static let maximumPageBytes = 8 << 20

  /// `POST /v1/presentations`
  @Sendable func ask(_ request: Request, _ context: PeerContext) async throws -> Response {
    let prefer = try Prefer(request)
    let body = try await presentationRequest(request)
    let requester = Requester(app: body.app ?? context.peer.name, process: context.peer)
    if body.flow { try checkFlow(request, prefer) }
    let key = try request.idempotencyKey(of: body)
    let isStream = request.accepts(ServerSentEvent.contentType)
    if isStream {
      guard !prefer.isAsync, prefer.wait == nil else {
        throw RouterError(.invalid, "cannot stream a request that detaches: leave out Prefer or the event stream")
      }
    }
    if let key, let earlier = try await coordinator.ended(key, of: requester) { return replay(earlier, isStream: isStream) }
    if isStream { return try await follow(body, from: requester, key: key, isAdmin: context.isAdmin) }
    let isAttached = !prefer.isAsync || prefer.wait != nil
    let handle = coordinator.ask(body, from: requester, isAdmin: context.isAdmin, attached: isAttached, key: key)
    if let wait = prefer.wait { return try await ask(handle, waiting: wait, context.ending) }
    if prefer.isAsync {
      let presentation = try await handle.accepted()
      if presentation.state == .resolved { return Response(json: presentation.jsonText) }
      // With a key it may have joined one that was attached until now.
      return detached(presentation.attached ? try await coordinator.detach(presentation.id) : presentation)
    }
    return context.ending.wait(for: handle) { ending in ended(try handle.result.get(), ending) }
  }

  /// Attached for some time, then detached for good.
  private func ask(
    _ handle: PresentationHandle, waiting wait: Duration, _ ending: RequestEnding
  ) async throws -> Response {
    let id = try await withTaskCancellationHandler {
      try await handle.accepted().id
    } onCancel: {
      handle.cancel()
    }
    return try await withThrowingTaskGroup(of: Presentation?.self) { group in
      group.addTask {
        let presentation = try await handle.resolved()
        return presentation.state == .resolved ? presentation : nil
      }
      group.addTask {
        try await PresentationClock.system.sleep(for: wait)
        do {
          return try await coordinator.detach(id)
        } catch let error as RouterError where error.code == .resolved {
          // It has ended at the last moment; the other task knows how.
          return nil
        }
      }
      defer { group.cancelAll() }
      while let presentation = try await group.next() {
        guard let presentation else { continue }
        return presentation.state == .resolved ? ended(presentation, ending) : detached(presentation)
      }
      throw CancellationError()
    }
  }

  /// Attached, and told of its life as it happens.
  private func follow(
    _ body: PresentationRequest, from requester: Requester, key: IdempotencyKey?, isAdmin: Bool
  ) async throws -> Response {
    let (updates, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(EventStream.maximumUnread))
    let progress = ProgressEvents(continuation)
    let handle = coordinator.ask(
      body, from: requester, isAdmin: isAdmin, key: key, progress: { update in progress.tell(update) })
    // The response holds the line: when it is let go, written or not, nobody is there for the outcome any more.
    let line = Lifeline(handle)
    let presentation = try await withTaskCancellationHandler {
      try await handle.accepted()
    } onCancel: {
      handle.cancel()
    }
    return EventStream.response(updates) { [coordinator] in
      line.isOver()
      coordinator.delivered(presentation.id)
    }
  }

  /// `GET /v1/presentations`
  @Sendable func list(_ request: Request, _ context: PeerContext) async throws -> Response {
    var query = QueryParameters(request)
    let surface = try query.string("surface")
    let app = try query.string("app")
    let states: [Presentation.State] = try query.choices("state")
    let limit = try query.count("limit", 1...1000) ?? 100
    let start = try query.count("cursor", 0...Int(Int32.max)) ?? 0
    try query.finish()
    let all = await coordinator.presentations(surface: surface) {
      context.maySee($0) && (app == nil || $0.requester.app == app) && (states.isEmpty || states.contains($0.state))
    }
    let page = Self.page(all.dropFirst(start).prefix(limit))
    let next = start + page.count < all.count ? String(start + page.count) : nil
    return Response { writer in
      writer.add("presentations", texts: page)
      writer.add("next", optional: next)
    }
  }

  /// As many as fit into one reply, and at least one: payloads may be large, and a reply is made in one go.
  static func page(
    _ presentations: some Sequence<Presentation>, maximumBytes: Int = maximumPageBytes
  ) -> [JSONText] {
    var page: [JSONText] = []
    var bytes = 0
    for presentation in presentations {
      guard bytes < maximumBytes else { break }
      let text = presentation.jsonText
      page.append(text)
      bytes += text.bytes.count
    }
    return page
  }

  /// `GET /v1/presentations/{id}`
  @Sendable func get(_ request: Request, _ context: PeerContext) async throws -> Response {
    let id = try context.presentationID()
    let presentation = try await coordinator.presentation(id, where: context.maySee)
    guard let wait = try Prefer(request).wait else { return Response(json: presentation.jsonText) }
    return try await withThrowingTaskGroup(of: Response?.self) { group in
      group.addTask { Response(json: try await coordinator.outcome(of: id).jsonText) }
      group.addTask {
        try await PresentationClock.system.sleep(for: wait)
        return nil
      }
      defer { group.cancelAll() }
      if let response = try await group.next() ?? nil { return response }
      return Response(json: try await coordinator.presentation(id, where: { _ in true }).jsonText)
    }
  }

  /// `DELETE /v1/presentations/{id}`
  @Sendable func cancel(_ request: Request, _ context: PeerContext) async throws -> Response {
    // How it ended is not for others to know either.
    let id = try await coordinator.presentation(try context.presentationID(), where: context.owns).id
    let by = Resolver(process: context.peer)
    return Response(json: try await coordinator.cancel(id, by: by, isAdmin: context.isAdmin).jsonText)
  }

  /// `POST /v1/presentations/{id}/finish`
  @Sendable func finish(_ request: Request, _ context: PeerContext) async throws -> Response {
    let id = try context.presentationID()
    _ = try AnswerBody(json: try await request.optionalJSON(upTo: bodyBytes), for: .finish)
    _ = try await coordinator.presentation(id, where: context.owns)
    let by = Resolver(process: context.peer)
    return Response(json: try await coordinator.finish(id, by: by, isAdmin: context.isAdmin).jsonText)
  }

  // MARK: Bodies and responses

  /// A flow's answers go out on its asker's stream, as long as that is there.
  private func checkFlow(_ request: Request, _ prefer: Prefer) throws {
    let why: String? =
      if prefer.isAsync || prefer.wait != nil {
        "cannot detach a flow: leave out Prefer"
      } else if !request.accepts(ServerSentEvent.contentType) {
        "cannot start a flow without an event stream: ask with Accept: \(ServerSentEvent.contentType)"
      } else {
        nil
      }
    if let why { throw RouterError(.impossible, why, field: "/flow") }
  }

  private func presentationRequest(_ request: Request) async throws -> PresentationRequest {
    let json = try await request.json(upTo: bodyBytes)
    return try PresentationRequest(json: json)
  }

  /// What a key asked for before, told again as the record has it.
  private func replay(_ presentation: Presentation, isStream: Bool) -> Response {
    guard isStream else { return Response(json: presentation.jsonText) }
    let (events, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    for event in PresentationUpdate.resolved(presentation).serverSentBytes { continuation.yield(event) }
    continuation.finish()
    return EventStream.response(events)
  }

  /// The response that carries the outcome to whoever asked; that it was written goes on record.
  private func ended(_ presentation: Presentation, _ ending: RequestEnding) -> Response {
    ending.afterWriting { [coordinator] in coordinator.delivered(presentation.id) }
    return Response(json: presentation.jsonText)
  }

  private func detached(_ presentation: Presentation) -> Response {
    Response(
      .accepted, json: presentation.jsonText,
      headers: [.location: APIPath.presentation(presentation.id), .preferenceApplied: "respond-async"])
  }
}

extension Request {
  /// The key that makes asking again safe, if there is one.
  fileprivate func idempotencyKey(of body: PresentationRequest) throws -> IdempotencyKey? {
    let values = headers[values: .idempotencyKey]
    guard let value = values.first else { return nil }
    guard values.count == 1 else { throw RouterError(.invalid, "cannot accept two headers Idempotency-Key") }
    return try IdempotencyKey(value, of: body)
  }
}

/// The events of an asker's stream. They end with the presentation, or when the coordinator lets go of it as it shuts down:
/// then nothing is told of an end, and whoever has a key comes back with it.
private final class ProgressEvents: Sendable {
  private let events: AsyncThrowingStream<[UInt8], any Error>.Continuation

  init(_ events: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
    self.events = events
  }

  func tell(_ update: PresentationUpdate) {
    for event in update.serverSentBytes {
      if case .dropped = events.yield(event) { events.finish(throwing: EventStream.tooMuchUnread) }
    }
    if case .resolved = update { events.finish() }
  }

  deinit {
    events.finish()
  }
}

/// Ends a request when nobody holds it any more.
private final class Lifeline: Sendable {
  private let handle: PresentationHandle

  init(_ handle: PresentationHandle) {
    self.handle = handle
  }

  /// Says that it has ended; to take back what has ended does nothing.
  func isOver() {}

  deinit {
    handle.cancel()
  }
}

extension PresentationUpdate {
  /// The update as an event of the asker's stream. An answer is told before the end.
  fileprivate var serverSentBytes: [[UInt8]] {
    switch self {
    case .queued(let id, let position):
      let event = ServerSentEvent.bytes(name: "queued") { writer in
        writer.add("id", id.description)
        writer.add("position", position)
      }
      return [event]
    case .presented(let id, let generation):
      let event = ServerSentEvent.bytes(name: "presented") { writer in
        writer.add("id", id.description)
        writer.add("generation", generation)
      }
      return [event]
    case .answered(let id, let generation, let answer):
      return [Self.answered(id, generation: generation, .answered(answer))]
    case .resolved(let presentation):
      let end = ServerSentEvent.bytes(name: "resolved", data: presentation.jsonText)
      // A flow's answers were told as they came.
      guard case .answered? = presentation.outcome, let outcome = presentation.outcome, !presentation.request.flow else {
        return [end]
      }
      return [Self.answered(presentation.id, generation: presentation.generation, outcome), end]
    }
  }

  private static func answered(_ id: PresentationID, generation: Int, _ outcome: PresentationOutcome) -> [UInt8] {
    ServerSentEvent.bytes(name: "answered") { writer in
      writer.add("id", id.description)
      writer.add("generation", generation)
      writer.add("outcome", outcome)
    }
  }
}
