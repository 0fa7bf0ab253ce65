import Router
import Testing

/// Fails the current test for a post without a broker, which otherwise is only logged. Runs when the test program is loaded,
/// before any test.
@section(".init_array") @used
private let failForgottenBrokers: @convention(c) () -> Void = {
  PresentationAsking.brokerForgotten.withLock { forgotten in
    forgotten = { Issue.record($0, sourceLocation: Test.current?.sourceLocation ?? #_sourceLocation) }
  }
}
