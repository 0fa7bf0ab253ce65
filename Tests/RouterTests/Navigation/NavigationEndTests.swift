import Router
import RouterCompatibility
import RouterTesting
import Testing

/// The ways a flow ends: finish, dismissal, a thrown error, cancellation, expiry, shutdown.
@Suite(.timeLimit(.minutes(10)))
struct NavigationEndTests {
  struct Trouble: Error, Equatable {}

  @Test func `finish ends the flow with the last answer, and the calling closure continues`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        try await proxy.show(Done(address)).then { _, _ in
          try await proxy.finish()
          scene.notes(Task.isCancelled ? "cancelled" : "going on")
          try await proxy.finish()
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Done")
      let flow = try await ended
      #expect(flow.result == .success("Hill Road"))
      #expect(flow.lastAnswer == "Hill Road")
      #expect(scene.notes.all == ["going on"])
      #expect(try await scene.endings() == ["Done cancelled/parentEnded", "AddressForm answered"])
    }
  }

  @Test func `outcomes without an answer's value can be compared`() async throws {
    try await FlowScene.run { scene in
      let flow = Task { try await NavigationFlow(root: Done("Hill Road")) { proxy in try await proxy.finish() } }
      try await scene.answer("Done")
      #expect(try await flow.value.result.end == nil)
      #expect(try await flow.value.result.end != .dismissed)
    }
  }

  @Test func `dismissing the root ends the flow and cancels and awaits its closure`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { _, _ in
        scene.notes("begin")
        await untilCancelled()
        scene.notes("end")
      }
      try await scene.answer("AddressForm", "Hill Road")
      await scene.notes.wait(for: "begin")
      try await scene.back(from: "AddressForm", again: true)
      #expect(await ended.result.end == .dismissed)
      #expect(scene.notes.all == ["begin", "end"])
    }
  }

  @Test func `a thrown error ends the flow after all screens are withdrawn`() async throws {
    try await FlowScene.run { scene in
      let flow = Task {
        try await NavigationFlow(root: AddressForm()) { address, proxy in
          try await proxy.show(Coupon(address: address)).then { _, _ in
            try await proxy.show(Done(address)).then { _, _ in throw Trouble() }
          }
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      try await scene.answer("Done")
      await #expect(throws: Trouble.self) { try await flow.value }
      #expect(await scene.coordinator.openCount == 0)
    }
  }

  @Test func `a caught error ends its screen only`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        do {
          try await proxy.show(Done(address)).then { _, _ in throw Trouble() }
        } catch {
          scene.notes("caught")
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Done")
      await scene.notes.wait(for: "caught")
      try await scene.back(from: "AddressForm")
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `ignores an error that a canceled closure throws`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { _, _ in
        scene.notes("begin")
        await untilCancelled()
        throw Trouble()
      }
      try await scene.answer("AddressForm", "first")
      await scene.notes.wait(for: "begin")
      try await scene.answer("AddressForm", "second", again: true)
      await scene.notes.wait(for: "begin")
      try await scene.back(from: "AddressForm", again: true)
      #expect(try await ended.lastAnswer == "second")
    }
  }

  @Test func `canceling the task withdraws all screens and waits for the closures`() async throws {
    try await FlowScene.run { scene in
      let gate = Gate()
      let flow = Task {
        await NavigationFlow(root: AddressForm()) { address, proxy in
          let end = await proxy.show(Coupon(address: address)).then { _, _ in
            await proxy.show(Done(address)).then { _, _ in
              scene.notes("begin")
              await untilCancelled()
              await gate.pass()
              scene.notes("innermost")
              #expect(await proxy.show(Payment()).then { _, _ in }.end == .cancelled(.requester))
            }
            scene.notes("inner")
          }
          #expect(end.end == .cancelled(.parentEnded))
          scene.notes("outer")
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      try await scene.answer("Done")
      await scene.notes.wait(for: "begin")
      #expect(try await scene.events(2) == ["- Done 1 answered", "Done 2"])
      flow.cancel()
      #expect(try await scene.event() == "- Done 2 cancelled")
      gate.open()
      #expect(await flow.value.result.end == .cancelled(.requester))
      #expect(scene.notes.all == ["begin", "innermost", "inner", "outer"])
      #expect(
        try await scene.endings() == [
          "Done cancelled/parentEnded", "Coupon cancelled/parentEnded", "AddressForm cancelled/requester",
        ])
    }
  }

  @Test func `canceling a task that waits for a screen ends the screen and those above it`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        let screen = Task {
          await proxy.show(Coupon(address: address)).then { _, _ in
            await proxy.show(Done(address)).then { _, _ in }
          }
        }
        await scene.notes.wait(for: "shown")
        screen.cancel()
        #expect(await screen.value.end == .cancelled(.requester))
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      _ = try await scene.showing("Done")
      scene.notes("shown")
      #expect(try await scene.events(2) == ["- Done 1 cancelled", "AddressForm 3"])
      try await scene.presenter.dismiss(try scene.last("AddressForm"))
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `popping from elsewhere cancels the closures of popped screens`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            await proxy.show(Coupon(address: address)).then { _, _ in
              scene.notes("begin")
              await untilCancelled()
              scene.notes("end")
            }
          }
          group.addTask {
            await scene.notes.wait(for: "begin")
            proxy.popToRoot()
          }
        }
        scene.notes("root")
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      #expect(try await scene.events(4) == ["- Coupon 1 answered", "Coupon 2", "- Coupon 2 cancelled", "AddressForm 3"])
      try await scene.presenter.dismiss(try scene.last("AddressForm"))
      #expect(await ended.result.end == .dismissed)
      #expect(scene.notes.all.prefix(2) == ["begin", "end"])
    }
  }

  @Test func `a closure that pops its own screen can continue`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Coupon(address: address)).then { _, _ in
          await proxy.show(Done(address)).then { _, _ in
            proxy.popToRoot()
            await scene.notes.wait(for: "root is back")
            scene.notes(Task.isCancelled ? "cancelled" : "saved")
            await proxy.show(Payment()).then { _, _ in }
          }
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      try await scene.answer("Done")
      let root = try await scene.showing("AddressForm")
      scene.notes("root is back")
      #expect(try await scene.showing("Payment").request.over == root.id)
      try await scene.presenter.dismiss(try scene.last("Payment"))
      try await scene.back(from: "AddressForm")
      #expect(await ended.result.end == .dismissed)
      #expect(scene.notes.all == ["root is back", "saved"])
    }
  }

  @Test func `reports a screen's failure, and the flow continues`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        let end = await proxy.show(Done(address)).then { _, _ in }
        if case .failure(.failed(let detail)) = end { scene.notes("failed: \(detail)") }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.presenter.fail(try await scene.showing("Done"), detail: "no screen")
      await scene.notes.wait(for: "failed: no screen")
      try await scene.back(from: "AddressForm")
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `applies timeouts to the root only, and reports expiry`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm(), options: { $0.timeout = .seconds(60) }) {
        address, proxy in
        await proxy.show(Done(address)).then { _, _ in }
      }
      try await scene.answer("AddressForm", "Hill Road")
      #expect(try await scene.showing("Done").request.timeout == nil)
      scene.clock.advance(by: .seconds(60))
      #expect(await ended.result.end == .expired(.presented))
      #expect(try await scene.endings() == ["Done cancelled/parentEnded", "AddressForm expired/presented"])
    }
  }

  @Test func `shows nothing in a canceled task`() async throws {
    try await FlowScene.run { scene in
      let flow = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await NavigationFlow(root: AddressForm()) { _, _ in }
      }
      #expect(await flow.value.result.end == .cancelled(.requester))
      let endings = try await scene.endings()
      #expect(endings.isEmpty)
    }
  }

  @Test func `ends as interrupted when the coordinator shuts down`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Done(address)).then { _, _ in }
      }
      try await scene.answer("AddressForm", "Hill Road")
      _ = try await scene.showing("Done")
      await scene.coordinator.shutDown()
      #expect(await ended.result.end == .cancelled(.interrupted))
    }
  }
}

extension Result where Failure == NoAnswer {
  /// How it ended without an answer.
  var end: NoAnswer? {
    if case .failure(let end) = self { end } else { nil }
  }
}
