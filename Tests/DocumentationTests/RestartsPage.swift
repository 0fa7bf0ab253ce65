import RouterClient
import Testing

/// Examples from the article about restarts.
struct RestartsPage {
  @Test func `reconnects as long as the policy allows`() {
    let patient = RouterClient(reconnect: ReconnectPolicy(patience: .seconds(300)))
    // No limit, even if there is no daemon at the start.
    let endless = RouterClient(reconnect: ReconnectPolicy(patience: nil, waitsForDaemon: true))
    // A lost connection is an error at once, and requests have no key.
    let strict = RouterClient(reconnect: .never)
    #expect(patient.reconnect.patience == .seconds(300))
    #expect(endless.reconnect.patience == nil)
    #expect(strict.reconnect == .never)
    #expect(RouterClient().reconnect.patience == .seconds(30))
  }
}
