import Router

/// Reads a surface's stream for a presenter, and reattaches when the stream is lost.
final class SurfaceStream: Sendable {
  private struct State {
    var arrival: Duration?
    var shown: (id: PresentationID, generation: Int)?
  }

  private let client: RouterClient
  private let call: HTTPCall
  private let events: AsyncThrowingStream<PresenterEvent, any Error>.Continuation
  private let state = Mutex(State())

  init(client: RouterClient, call: HTTPCall, events: AsyncThrowingStream<PresenterEvent, any Error>.Continuation) {
    self.client = client
    self.call = call
    self.events = events
  }

  /// Yields events until the task is canceled or the retries are exhausted.
  func read() async {
    var reconnection = client.reconnection(isRepeatable: true)
    do {
      while true {
        let failure = try await client.readStream(
          call, lost: "cannot continue to present: routerd at \(client.socketPath) closed the stream", opened: isAttached
        ) { event in
          if let event = try PresenterEvent(event) { self.tell(event) }
        }
        let arrival = state.withLock { state in
          defer { state.arrival = nil }
          return state.arrival
        }
        withdraw()
        try await client.wait(after: failure, arrival: arrival, with: &reconnection)
      }
    } catch {
      events.finish(throwing: error)
    }
  }

  @Sendable private func isAttached() {
    state.withLock { $0.arrival = client.clock.now() }
    client.watch.isThere()
  }

  private func tell(_ event: PresenterEvent) {
    state.withLock { state in
      switch event {
      case .present(let presentation, _): state.shown = (presentation.id, presentation.generation)
      // The withdrawal of a prompt may arrive after its replacement.
      case .withdraw(let id, let generation, _):
        if let shown = state.shown, shown == (id, generation) { state.shown = nil }
      case .queue, .progress: break
      }
    }
    events.yield(event)
  }

  /// Withdraws the shown presentation, since answers cannot be sent.
  private func withdraw() {
    let shown = state.withLock { state in
      defer { state.shown = nil }
      return state.shown
    }
    guard let shown else { return }
    events.yield(.withdraw(shown.id, generation: shown.generation, reason: .disconnected))
  }
}
