package import Router

/// Calls programs back over their Unix sockets: `POST` with the resolved presentation as JSON; any 2xx accepts it.
///
/// The listener must run as the requester's uid, by the kernel's word on the connected socket (`SO_PEERCRED` of unix(7)), so
/// that nobody hears of another's presentation by squatting on a path.
package struct CallbackClient: CallbackSender {
  /// How long a try may take.
  private let timeout: Duration
  /// Whether a listener of any user is called.
  private let callsAnybody: Bool

  package init(timeout: Duration = .seconds(5), callsAnybody: Bool = false) {
    self.timeout = timeout
    self.callsAnybody = callsAnybody
  }

  package func send(_ presentation: Presentation, to address: CallbackAddress) async throws {
    var http = UnixSocketHTTP(path: address.socketPath, listener: "the callback's listener", maximumReplyBytes: 64 << 10)
    if !callsAnybody { http.peerUID = presentation.requester.process.uid }
    let call = HTTPCall(.POST, address.target, json: presentation.jsonText)
    let reply = try await withThrowingTaskGroup(of: HTTPReply.self) { [timeout, http] group in
      group.addTask { try await http.reply(to: call) }
      group.addTask {
        try await PresentationClock.system.sleep(for: timeout)
        throw RouterError(.unreachable, "cannot call back: no answer within \(timeout)")
      }
      defer { group.cancelAll() }
      guard let reply = try await group.next() else { throw CancellationError() }
      return reply
    }
    guard (200..<300).contains(reply.status) else {
      throw RouterError(.unreachable, "cannot call back: the answer was \(reply.status)")
    }
  }
}
