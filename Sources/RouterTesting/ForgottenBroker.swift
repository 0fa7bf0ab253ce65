import Router
import Testing

/// Makes a post without a broker, which otherwise is only logged, a failure of its test. Runs when the test program is loaded, and
/// so before any test.
@section(".init_array") @used
private let failForgottenBrokers: @convention(c) () -> Void = {
  PresentationAsking.brokerForgotten.withLock { forgotten in
    forgotten = { Issue.record($0, sourceLocation: Test.current?.sourceLocation ?? #_sourceLocation) }
  }
}
