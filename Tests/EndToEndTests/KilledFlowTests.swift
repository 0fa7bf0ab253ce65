import Router
import RouterClient
import RouterTesting
import Testing

/// A flow whose daemon is killed in the middle.
@Suite(.timeLimit(.minutes(2)))
struct KilledFlowTests {
  @Test func `when the daemon is killed the flow fails, and its closures end`() async throws {
    try await TestDaemon.run { daemon in
      try await withEnvironment(\.presentationBroker, daemon.client) {
        let stage = Stage(daemon.client)
        async let ended = NavigationFlow(root: FlowBehaviourTests.Address()) { address, proxy in
          await proxy.show(FlowBehaviourTests.Done(address: address)).then { _, _ in
            stage.note("begin")
            await untilCancelled()
            stage.note("end")
          }
        }
        try await stage.answer("Address", "Hill Road")
        try await stage.answer("Done")
        await stage.wait(for: "begin")
        daemon.process.signal(9)
        guard case .failed = await ended.outcome else {
          Issue.record("the flow did not fail")
          return
        }
        #expect(stage.notes == ["begin", "end"])
      }
    }
  }
}
