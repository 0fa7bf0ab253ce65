package import Router

/// Delivers callbacks over Unix sockets: a `POST` with the resolved presentation as JSON, accepted by any 2xx status. The
/// listener must run as the requester's uid, so that no other user can read answers by binding the socket first.
package struct CallbackClient: CallbackSender {
  static let maximumReplyBytes = 64 << 10

  private let timeout: Duration
  /// Whether to accept a listener of any user.
  private let callsAnybody: Bool

  package init(timeout: Duration = .seconds(5), callsAnybody: Bool = false) {
    self.timeout = timeout
    self.callsAnybody = callsAnybody
  }

  package func send(_ presentation: Presentation, to address: PresentationRequest.CallbackAddress) async throws {
    var http = UnixSocketHTTP(
      path: address.socketPath, listener: "the callback's listener", maximumReplyBytes: Self.maximumReplyBytes)
    if !callsAnybody { http.peerUIDs = [presentation.requester.process.uid] }
    let call = HTTPCall(.POST, address.target, json: presentation.jsonText)
    let status = try await withThrowingTaskGroup(of: Int.self) { [timeout, http] group in
      group.addTask { try await http.reply(to: call).status }
      group.addTask {
        try await PresentationClock.system.sleep(for: timeout)
        throw RouterError(.unreachable, "cannot deliver the callback: no response within \(timeout)")
      }
      defer { group.cancelAll() }
      return try await group.next() ?? 0
    }
    guard (200..<300).contains(status) else {
      throw RouterError(.unreachable, "cannot deliver the callback: the listener responded with HTTP status \(status)")
    }
  }
}
