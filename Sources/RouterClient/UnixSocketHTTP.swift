import Glibc
package import Router

/// HTTP/1.1 over a Unix socket, one connection for each call.
///
/// The connection lives as long as the call: cancelling the task that waits closes it, and that is how an attached
/// request is taken back.
package struct UnixSocketHTTP: Sendable {
  package let path: String
  /// What errors call whoever listens there.
  let listener: String
  /// The most that is taken of a reply's body, in bytes.
  let maximumReplyBytes: Int
  /// The user that must listen there; anybody where it is `nil`.
  var peerUID: UInt32?

  package init(path: String, listener: String = "routerd", maximumReplyBytes: Int = 64 << 20) {
    self.path = path
    self.listener = listener
    self.maximumReplyBytes = maximumReplyBytes
  }

  /// Makes a call and collects what comes back, whatever its status.
  ///
  /// - Throws: ``RouterError`` if the daemon cannot be reached or goes away; `CancellationError` if the task is cancelled.
  package func reply(to call: HTTPCall) async throws -> HTTPReply {
    try await Self.withoutFailures { try await attempt(call) }
  }

  /// Makes a call as ``reply(to:)`` does, and tells by the error whether it could be made again.
  ///
  /// - Throws: ``Reconnection/Failure`` for what the daemon's absence is to blame for.
  func attempt(_ call: HTTPCall) async throws -> HTTPReply {
    try await exchange(call) { reply in try await collect(&reply) }
  }

  /// Makes a call whose reply is a stream of events, and hands them over as they come, until the stream ends.
  ///
  /// - Throws: ``RouterError`` for a reply that is no stream: the problem that it is, or that it cannot be understood; what
  ///   `receive` throws.
  package func events(
    of call: HTTPCall, receive: @Sendable (ServerSentEvent) async throws -> Void
  ) async throws {
    try await Self.withoutFailures { try await attemptEvents(of: call, receive: receive) }
  }

  /// Makes a call as ``events(of:receive:)`` does, and tells by the error whether it could be made again.
  ///
  /// - Parameter opened: Called when the stream has begun.
  /// - Throws: ``Reconnection/Failure`` for what the daemon's absence is to blame for.
  func attemptEvents(
    of call: HTTPCall, opened: @Sendable () -> Void = {}, receive: @Sendable (ServerSentEvent) async throws -> Void
  ) async throws {
    var call = call
    call.headers.replaceOrAdd(name: "Accept", value: ServerSentEvent.contentType)
    try await exchange(call) { reply in
      guard reply.status == 200, reply.headers.first(name: "Content-Type")?.hasPrefix(ServerSentEvent.contentType) == true
      else {
        let reply = try await collect(&reply)
        throw reply.error ?? misunderstood("its reply is not a stream of events")
      }
      opened()
      var parser = ServerSentEventParser()
      while let bytes = try await reply.next() {
        do {
          for event in try parser.feed(bytes) { try await receive(event) }
        } catch let error as JSONError {
          throw misunderstood(error.description)
        }
      }
      // A stream that is cut off mid-chunk is over too: the caller knows by the events whether it came to its end.
      try Task.checkCancellation()
    }
  }

  func misunderstood(_ why: String) -> RouterError {
    RouterError(.unreachable, "cannot understand what \(listener) at \(path) says: \(why)")
  }

  /// Connects, sends the call, and gives its reply to `body`, from its head on. Closes the connection on every way out.
  private func exchange<Result: Sendable>(
    _ call: HTTPCall, _ body: (inout IncomingReply) async throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let bytes = try call.bytes
    let connection = try await connect()
    do {
      // A daemon that refuses a body before it has read all of it closes its side; its reply is what counts then.
      let sent: (any Error)?
      do {
        try await connection.send(bytes)
        sent = nil
      } catch {
        sent = error
      }
      var reply = IncomingReply(connection)
      guard try await reply.readHead() else {
        try Task.checkCancellation()
        throw Reconnection.Failure.lost(lostConnection(cause: sent))
      }
      return try await body(&reply)
    } catch let error as HTTPReplyParser.NoHTTP {
      throw misunderstood("its reply is no HTTP/1.1 (\(error.reason))")
    } catch let error where !(error is RouterError || error is Reconnection.Failure) {
      // A cancelled task may show as an error of the connection.
      try Task.checkCancellation()
      throw error is CancellationError ? error : Reconnection.Failure.lost(lostConnection(cause: error))
    }
  }

  /// For callers who do not try again.
  private static func withoutFailures<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let failure as Reconnection.Failure {
      throw failure.error
    }
  }

  private func lostConnection(cause: (any Error)?) -> RouterError {
    RouterError(.unreachable, "cannot hear from \(listener) at \(path): the connection was lost", cause: cause)
  }

  private func collect(_ reply: inout IncomingReply) async throws -> HTTPReply {
    var collected = HTTPReply(status: reply.status, headers: reply.headers, body: [])
    while let bytes = try await reply.next() {
      guard collected.body.count + bytes.count <= maximumReplyBytes else { throw misunderstood("its reply is too long") }
      collected.body += bytes
    }
    guard !reply.isComplete else { return collected }
    try Task.checkCancellation()
    throw Reconnection.Failure.lost(lostConnection(cause: nil))
  }

  /// How long to try again while the daemon has more connections waiting than the kernel lets it have.
  private static let busyPauses: [Duration] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].map { .milliseconds($0) }

  private func connect() async throws -> UnixSocketConnection {
    for pause in Self.busyPauses {
      do {
        return try connectOnce()
      } catch let error as UnixSocketConnection.SystemError where error.code == EAGAIN {
        // unix(7): the listener's backlog is full, and a socket that does not block is not made to wait.
        try await Task.sleep(for: pause)
      }
    }
    do {
      return try connectOnce()
    } catch let error as UnixSocketConnection.SystemError {
      throw Reconnection.Failure.notThere(
        RouterError(.unreachable, "cannot reach \(listener) at \(path): too many wait to be let in", cause: error))
    }
  }

  private func connectOnce() throws -> UnixSocketConnection {
    let connection = try connectToAnybody()
    if let peerUID {
      let uid = try connection.peerUID()
      guard uid == peerUID else {
        throw RouterError(.forbidden, "cannot trust \(listener) at \(path): it runs as user \(uid), not \(peerUID)")
      }
    }
    return connection
  }

  /// - Throws: ``UnixSocketConnection/SystemError`` with `EAGAIN` alone; else what the caller is to hear.
  private func connectToAnybody() throws -> UnixSocketConnection {
    do {
      return try UnixSocketConnection.connect(to: path)
    } catch let error as UnixSocketConnection.SystemError where error.code == EAGAIN {
      throw error
    } catch let error as UnixSocketConnection.SystemError where error.code == EACCES || error.code == EPERM {
      throw RouterError(.forbidden, "cannot reach \(listener) at \(path): permission denied", cause: error)
    } catch is UnixSocketAddress.PathIsTooLong {
      throw RouterError(.unreachable, "cannot reach \(listener) at \(path): the path is too long for a socket")
    } catch {
      throw Reconnection.Failure.notThere(
        RouterError(.unreachable, "cannot reach \(listener) at \(path): is it running?", cause: error))
    }
  }
}
