import Glibc
package import Router

/// HTTP/1.1 over a Unix socket, or a TCP port of this machine, one connection per call. Canceling the task closes the
/// connection, which cancels an attached request.
package struct UnixSocketHTTP: Sendable {
  /// The maximum time to retry while the listener's backlog is full.
  static let connectTime = Duration.seconds(30)

  /// The maximum time without a byte of a stream; `nil` for any. routerd sends a comment every 15 seconds, unless it is stopped.
  var maximumSilence: Duration? = .seconds(45)

  /// The socket's path, or the address with the port in messages.
  package let path: String
  private let port: UInt16?
  let listener: String
  /// The maximum size of a non-streaming reply, in bytes.
  let maximumReplyBytes: Int
  /// The users that the listener may run as; `nil` for any.
  var peerUIDs: Set<UInt32>?
  private let clock: PresentationClock

  package init(
    path: String, listener: String = "routerd", maximumReplyBytes: Int = 64 << 20, clock: PresentationClock = .system
  ) {
    self.path = path
    port = nil
    self.listener = listener
    self.maximumReplyBytes = maximumReplyBytes
    self.clock = clock
  }

  package init(port: UInt16, listener: String, maximumReplyBytes: Int = 64 << 20) {
    path = "http://127.0.0.1:\(port)"
    self.port = port
    maximumSilence = nil
    self.listener = listener
    self.maximumReplyBytes = maximumReplyBytes
    clock = .system
  }

  /// A reply that is being received. Destroying it closes the connection.
  private struct IncomingReply: ~Copyable {
    private var connection: UnixSocketConnection
    var reader: HTTPReplyReader
    /// Received parts of the body that are not read yet.
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

    /// Reads the next part of the body; `nil` at the end of the body or the connection.
    mutating func next() async throws -> ArraySlice<UInt8>? {
      while parts.isEmpty {
        guard !reader.hasEnded, try await receive() else { return nil }
      }
      return parts.removeFirst()
    }

    private mutating func receive() async throws -> Bool {
      // Prevents a fast sender from occupying the thread.
      await Task.yield()
      let bytes = try await connection.receive()
      parts += try reader.feed(bytes)
      return !bytes.isEmpty
    }
  }

  /// Makes a call and returns the reply with any status. Throws ``RouterError`` if the daemon cannot be reached.
  package func reply(to call: HTTPCall) async throws -> HTTPReply {
    do {
      return try await attempt(call)
    } catch let failure as Reconnection.Failure {
      throw failure.error
    }
  }

  /// Makes a call for callers that retry. Throws ``Reconnection/Failure`` if the daemon is absent.
  func attempt(_ call: HTTPCall) async throws -> HTTPReply {
    try await exchange(call) { reply, status in try await collect(&reply, status) }
  }

  /// Makes a call that returns a stream, and passes its events to `receive` as they arrive until the stream ends. Throws
  /// ``Reconnection/Failure`` if the daemon is absent, ``RouterError`` for any other reply, and any error of `receive`.
  package func attemptEvents(
    of call: HTTPCall, opened: @Sendable () -> Void = {}, receive: @Sendable ([ServerSentEvent]) async throws -> Void
  ) async throws {
    var call = call
    call.headers.replaceOrAdd(name: "Accept", value: ServerSentEvent.contentType)
    try await exchange(call, maximumSilence: maximumSilence) { reply, status in
      guard status == 200, reply.reader.headers.first(name: "Content-Type")?.begins(with: ServerSentEvent.contentType) == true
      else { throw try await collect(&reply, status).error ?? misunderstood("it is not an event stream") }
      reply.reader.maximumBytes = .max
      opened()
      var parser = ServerSentEventParser()
      while let bytes = try await reply.next() {
        do {
          let events = try parser.feed(bytes)
          if !events.isEmpty { try await receive(events) }
        } catch let error as JSONError {
          throw misunderstood(error.description)
        }
      }
      // A stream cut off mid-chunk counts as ended. The events tell the caller whether it is complete.
      try Task.checkCancellation()
    }
  }

  func misunderstood(_ why: String) -> RouterError {
    RouterError(.unreachable, "cannot understand the reply of \(listener) at \(path): \(why)")
  }

  /// Connects, sends the call, and runs `body` once the head has arrived. Always closes the connection.
  private func exchange<Result: Sendable>(
    _ call: HTTPCall, maximumSilence: Duration? = nil, _ body: (inout IncomingReply, Int) async throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let bytes = try call.bytes
    var connection = try await connect()
    connection.maximumSilence = maximumSilence
    do {
      // A daemon that rejects a body early closes its side. Its reply takes precedence over the send error.
      var cause: (any Error)?
      do { try await connection.send(bytes) } catch { cause = error }
      var reply = IncomingReply(connection, maximumBytes: maximumReplyBytes)
      guard let status = try await reply.head() else { throw lost(cause) }
      return try await body(&reply, status)
    } catch let error as HTTPReplyReader.Malformed {
      throw misunderstood(error.reason)
    } catch let error as UnixSocketConnection.SystemError {
      // Cancellation can surface as a connection error.
      try Task.checkCancellation()
      throw lost(error)
    }
  }

  private func lost(_ cause: (any Error)?) -> Reconnection.Failure {
    .lost(RouterError(.unreachable, "cannot read the reply of \(listener) at \(path): the connection was lost", cause: cause))
  }

  private func collect(_ reply: inout IncomingReply, _ status: Int) async throws -> HTTPReply {
    var collected = HTTPReply(status: status, headers: reply.reader.headers, body: [])
    while let bytes = try await reply.next() { collected.body += bytes }
    guard !reply.reader.isComplete else { return collected }
    try Task.checkCancellation()
    throw lost(nil)
  }

  /// Connects. Retries while the listener's backlog is full: the listener is slow, not absent.
  private func connect() async throws -> UnixSocketConnection {
    let start = clock.now()
    var pause = Duration.milliseconds(1)
    while true {
      do {
        if let port { return try UnixSocketConnection.connect(toPort: port) }
        let connection = try UnixSocketConnection.connect(to: path)
        guard let peerUIDs else { return connection }
        let uid = try connection.peerUID()
        guard peerUIDs.contains(uid) else {
          let users = peerUIDs.sorted().map(String.init).joined(separator: " or ")
          throw RouterError(.forbidden, "cannot trust \(listener) at \(path): it runs as user \(uid), not \(users)")
        }
        return connection
      } catch let error as UnixSocketConnection.SystemError {
        switch error.code {
        case EAGAIN where clock.now() - start < Self.connectTime:
          try await clock.sleep(for: pause)
          pause = min(pause * 2, .milliseconds(100))
        case EAGAIN: throw notThere("it has not accepted a connection for \(Self.connectTime.wholeSeconds) seconds", error)
        case EACCES, EPERM:
          throw RouterError(.forbidden, "cannot reach \(listener) at \(path): permission denied")
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
