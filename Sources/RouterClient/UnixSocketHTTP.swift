import Glibc
package import Router

/// HTTP/1.1 over a Unix socket, one connection for each call. Canceling the task closes it, which withdraws an attached
/// request.
package struct UnixSocketHTTP: Sendable {
  /// The longest that a listener may leave its backlog full before it counts as unreachable.
  static let connectTime = Duration.seconds(30)

  package let path: String
  let listener: String
  /// The most bytes in a reply that is not a stream of events.
  let maximumReplyBytes: Int
  /// The uid that must listen at the path; `nil` for any.
  var peerUID: UInt32?
  private let clock: PresentationClock

  package init(
    path: String, listener: String = "routerd", maximumReplyBytes: Int = 64 << 20, clock: PresentationClock = .system
  ) {
    self.path = path
    self.listener = listener
    self.maximumReplyBytes = maximumReplyBytes
    self.clock = clock
  }

  /// A reply while it arrives. Its connection is closed with it.
  private struct IncomingReply: ~Copyable {
    private var connection: UnixSocketConnection
    var reader: HTTPReplyReader
    /// Parts of the body that were not taken yet.
    private var parts: [ArraySlice<UInt8>] = []

    init(_ connection: consuming UnixSocketConnection, maximumBytes: Int) {
      self.connection = connection
      reader = HTTPReplyReader(maximumBytes: maximumBytes)
    }

    /// Reads the head and returns the status; `nil` if the connection ends first.
    mutating func head() async throws -> Int? {
      while reader.status == nil {
        guard try await receive() else { return nil }
      }
      return reader.status
    }

    /// Reads the next part of the body; `nil` at its end, or at the connection's.
    mutating func next() async throws -> ArraySlice<UInt8>? {
      while parts.isEmpty {
        guard !reader.hasEnded, try await receive() else { return nil }
      }
      return parts.removeFirst()
    }

    private mutating func receive() async throws -> Bool {
      // A sender that never pauses must not keep the thread from others.
      await Task.yield()
      let bytes = try await connection.receive()
      parts += try reader.feed(bytes)
      return !bytes.isEmpty
    }
  }

  /// Makes a call and returns the reply, whatever its status. Throws ``RouterError`` if the daemon cannot be reached.
  package func reply(to call: HTTPCall) async throws -> HTTPReply {
    do {
      return try await attempt(call)
    } catch let failure as Reconnection.Failure {
      throw failure.error
    }
  }

  /// ``reply(to:)`` for callers that retry. Throws ``Reconnection/Failure`` if the daemon is absent.
  func attempt(_ call: HTTPCall) async throws -> HTTPReply {
    try await exchange(call) { reply, status in try await collect(&reply, status) }
  }

  /// Makes a call whose reply is a stream, and passes its events on until it ends. Throws ``Reconnection/Failure`` if the
  /// daemon is absent, ``RouterError`` for a reply that is not a stream, and what `receive` throws.
  func attemptEvents(
    of call: HTTPCall, opened: @Sendable () -> Void = {}, receive: @Sendable (ServerSentEvent) async throws -> Void
  ) async throws {
    var call = call
    call.headers.replaceOrAdd(name: "Accept", value: ServerSentEvent.contentType)
    try await exchange(call) { reply, status in
      guard status == 200, reply.reader.headers.first(name: "Content-Type")?.hasPrefix(ServerSentEvent.contentType) == true
      else { throw try await collect(&reply, status).error ?? misunderstood("its reply is not a stream of events") }
      reply.reader.maximumBytes = .max
      opened()
      var parser = ServerSentEventParser()
      while let bytes = try await reply.next() {
        do {
          for event in try parser.feed(bytes) { try await receive(event) }
        } catch let error as JSONError {
          throw misunderstood(error.description)
        }
      }
      // A stream that is cut off mid-chunk is over too. The caller knows from the events whether it is complete.
      try Task.checkCancellation()
    }
  }

  func misunderstood(_ why: String) -> RouterError {
    RouterError(.unreachable, "cannot understand the reply of \(listener) at \(path): \(why)")
  }

  /// Connects, sends the call, and passes its reply to `body` once the head is there. Always closes the connection.
  private func exchange<Result: Sendable>(
    _ call: HTTPCall, _ body: (inout IncomingReply, Int) async throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let bytes = try call.bytes
    let connection = try await connect()
    do {
      // A daemon that refuses a body before it has read all of it closes its side; then its reply counts, not the error.
      var cause: (any Error)?
      do { try await connection.send(bytes) } catch { cause = error }
      var reply = IncomingReply(connection, maximumBytes: maximumReplyBytes)
      guard let status = try await reply.head() else { throw lost(cause) }
      return try await body(&reply, status)
    } catch let error as HTTPReplyReader.Malformed {
      throw misunderstood(error.reason)
    } catch let error as UnixSocketConnection.SystemError {
      // A canceled task may show as an error of the connection.
      try Task.checkCancellation()
      throw lost(error)
    }
  }

  private func lost(_ cause: (any Error)?) -> Reconnection.Failure {
    .lost(RouterError(.unreachable, "cannot hear from \(listener) at \(path): the connection was lost", cause: cause))
  }

  private func collect(_ reply: inout IncomingReply, _ status: Int) async throws -> HTTPReply {
    var collected = HTTPReply(status: status, headers: reply.reader.headers, body: [])
    while let bytes = try await reply.next() { collected.body += bytes }
    guard !reply.reader.isComplete else { return collected }
    try Task.checkCancellation()
    throw lost(nil)
  }

  /// Connects. While the listener's backlog is full it tries again: such a listener is slow, not gone.
  private func connect() async throws -> UnixSocketConnection {
    let start = clock.now()
    var pause = Duration.milliseconds(1)
    while true {
      do {
        let connection = try UnixSocketConnection.connect(to: path)
        guard let peerUID else { return connection }
        let uid = try connection.peerUID()
        guard uid == peerUID else {
          throw RouterError(.forbidden, "cannot trust \(listener) at \(path): it runs as user \(uid), not \(peerUID)")
        }
        return connection
      } catch let error as UnixSocketConnection.SystemError {
        switch error.code {
        case EAGAIN where clock.now() - start < Self.connectTime:
          try await clock.sleep(for: pause)
          pause = min(pause * 2, .milliseconds(100))
        case EAGAIN: throw notThere("it has not accepted a connection for \(Self.connectTime.wholeSeconds) seconds", error)
        case EACCES, EPERM:
          throw RouterError(.forbidden, "cannot reach \(listener) at \(path): permission denied", cause: error)
        default: throw notThere("is it running?", error)
        }
      } catch is UnixSocketAddress.PathIsTooLong {
        throw RouterError(.unreachable, "cannot reach \(listener) at \(path): the path is too long for a socket")
      }
    }
  }

  private func notThere(_ why: String, _ cause: any Error) -> Reconnection.Failure {
    .notThere(RouterError(.unreachable, "cannot reach \(listener) at \(path): \(why)", cause: cause))
  }
}
