import RouterClient
import Testing

/// The examples of the article on restarts.
struct RestartsPage {
  @Test func `a policy says how long a client waits`() {
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
