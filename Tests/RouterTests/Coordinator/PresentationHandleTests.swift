import Router
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PresentationHandleTests {
  private func ended(_ outcome: PresentationOutcome) -> Presentation {
    Presentation(
      id: PresentationIDGenerator().next(at: Timestamp(milliseconds: 0)), state: .resolved,
      requester: Presentation.Requester(app: "test", process: .current), request: PresentationRequest(kind: .sheet),
      requestedAt: Timestamp(milliseconds: 0), outcome: outcome)
  }

  @Test @MainActor func `received returns after the waiting task has run on its actor`() async throws {
    for _ in 0..<200 {
      let handle = PresentationHandle(withdraw: {})
      let order = Order()
      let waiting = Task { @MainActor in
        _ = try await handle.resolved()
        order.note("answer")
      }
      await handle.awaited()
      handle.end(.success(ended(.dismissed)))
      let callback = Task.detached {
        await handle.received()
        await order.note("callback")
      }
      _ = try await (waiting.value, callback.value)
      #expect(order.names == ["answer", "callback"])
    }
  }

  @Test func `received returns at once if no task waits`() async throws {
    let handle = PresentationHandle(withdraw: {})
    await handle.received()
    handle.end(.success(ended(.dismissed)))
    await handle.received()
    #expect(try await handle.outcome() == .dismissed)
    await handle.received()
  }

  @Test func `an answer is unread until a task reads or forgoes it`() async throws {
    let handle = PresentationHandle(withdraw: {})
    #expect(!handle.hasUnreadAnswer)
    handle.end(.success(ended(.answered(.button("ok")))))
    #expect(handle.hasUnreadAnswer)
    _ = try await handle.resolved()
    #expect(!handle.hasUnreadAnswer)
    let forgone = PresentationHandle(withdraw: {})
    forgone.forgoAnswer()
    forgone.end(.success(ended(.answered(.button("ok")))))
    #expect(!forgone.hasUnreadAnswer)
    let dismissed = PresentationHandle(withdraw: {})
    dismissed.end(.success(ended(.dismissed)))
    #expect(!dismissed.hasUnreadAnswer)
  }

  @Test func `resumes each waiting task once`() async throws {
    let handle = PresentationHandle(withdraw: {})
    let (one, other) = (Task.immediate { try await handle.outcome() }, Task.immediate { try await handle.outcome() })
    handle.end(.success(ended(.dismissed)))
    handle.end(.success(ended(.cancelled(.busy))))
    #expect(try await (one.value, other.value) == (.dismissed, .dismissed))
    await handle.received()
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
