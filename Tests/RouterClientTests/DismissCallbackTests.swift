import Router
import RouterClient
import Testing

/// Dismiss callbacks of one client, with a scripted daemon.
@Suite(.timeLimit(.minutes(10)))
struct DismissCallbackTests {
  /// Accepts the next call.
  private func accept(_ daemon: ScriptedDaemon) async throws -> ScriptedCall {
    let call = try await daemon.nextCall()
    try await call.start()
    try await call.event("presented", ["id": PresentationID.sample.json, "generation": 1])
    return call
  }

  @Test func `run one at a time, in the order in which the client learns of the ends`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let (calls, continuation) = AsyncStream<String>.makeStream()
      let (gate, open) = AsyncStream<Void>.makeStream()
      let names = ["one", "two", "three"]
      let handles = names.map { name in
        client.submit(.sample) {
          continuation.yield("\(name) begins")
          // The first to end runs long, and the others wait for it.
          if name == "three" { for await _ in gate {} }
          continuation.yield("\(name) ends")
        }
      }
      var streams: [ScriptedCall] = []
      for _ in handles { streams.append(try await accept(daemon)) }
      for index in [2, 0, 1] {
        try await streams[index].event("resolved", Presentation.sample(outcome: .dismissed).json)
        _ = try await handles[index].resolved()
      }
      open.finish()
      var called = calls.makeAsyncIterator()
      for name in ["three", "one", "two"] {
        #expect(await called.next() == "\(name) begins")
        #expect(await called.next() == "\(name) ends")
      }
    }
  }

  @Test func `run after the waiter has received the answer`() async throws {
    try await ScriptedDaemon.run { daemon, client in
      let order = Order()
      let (called, continuation) = AsyncStream<Void>.makeStream()
      let handle = client.submit(.sample) {
        await order.note("callback")
        continuation.finish()
      }
      let waiting = Task { @MainActor in
        _ = try await handle.resolved()
        order.note("answer")
      }
      await handle.awaited()
      let call = try await accept(daemon)
      try await call.event("resolved", Presentation.sample(outcome: .answered(.button("deploy"))).json)
      for await _ in called {}
      try await waiting.value
      #expect(await order.names == ["answer", "callback"])
    }
  }
}

/// A log of names in order.
@MainActor
private final class Order {
  private(set) var names: [String] = []

  func note(_ name: String) {
    names.append(name)
  }
}
