import NIOCore
import NIOEmbedded
import Router
import RouterClient
import RouterCore
import TestSupport

/// A connection whose bytes arrive in pieces, sooner or later.
final class Connection: World.Actor {
  private let channel: EmbeddedChannel
  private weak var client: HTTPClient?
  private let world: World
  private var isClosedByServer = false
  private var toServer: [UInt8] = []
  private var toClient: [UInt8] = []
  /// Whether the client has closed its sending side.
  private var isHalfClosed = false
  private(set) var isOver = false
  /// Whether the daemon stops or is dead.
  private(set) var isAbandoned = false

  init(_ channel: EmbeddedChannel, _ client: HTTPClient, _ world: World) {
    (self.channel, self.client, self.world) = (channel, client, world)
  }

  func send(_ bytes: [UInt8]) { toServer += bytes }

  /// Closes the sending side, after what was sent.
  func closeSending() { isHalfClosed = true }

  /// Closes the connection, with whatever is under way.
  func close() {
    guard !isOver else { return }
    end()
    channel.close(promise: nil)
  }

  /// Lets the server end after its pending response.
  func quiesce() {
    isAbandoned = true
    if !isOver { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
  }

  /// Ends with the daemon's process.
  func die() {
    guard !isOver else { return }
    isAbandoned = true
    end()
    channel.close(promise: nil)
    client?.closed(self)
  }

  private func end() {
    isOver = true
    world.remove(self)
  }

  var isReady: Bool {
    !toServer.isEmpty || isHalfClosed || !toClient.isEmpty || isClosedByServer
  }

  /// Takes what the server has written.
  func collect() {
    guard !isOver else { return }
    isClosedByServer = !channel.isActive
    while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { toClient.append(contentsOf: buffer.readableBytesView) }
  }

  func step() {
    // Most pieces are whole.
    func take(_ bytes: inout [UInt8]) -> [UInt8] {
      let count = world.random.chance(80) ? bytes.count : 1 + world.random.below(bytes.count)
      defer { bytes.removeFirst(count) }
      return Array(bytes.prefix(count))
    }
    if !toClient.isEmpty, toServer.isEmpty || world.random.chance(50) {
      let bytes = take(&toClient)
      world.note(bytes.count)
      client?.received(bytes, from: self)
    } else if !toServer.isEmpty {
      let bytes = take(&toServer)
      world.note(bytes.count)
      // The server may have closed; its end of the connection tells.
      _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
      collect()
    } else if isHalfClosed {
      isHalfClosed = false
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    } else if isClosedByServer {
      end()
      client?.closed(self)
    }
  }
}

/// A client that sends one request at a time.
final class HTTPClient {
  /// A reply, or its head if it is a stream.
  struct Reply {
    let status: Int
    let body: [UInt8]

    var json: JSONValue? { try? JSONValue(parsing: body) }

    /// Whether it says that nothing was changed. A daemon that stops also refuses those whose prompts wait for its next start.
    var isRefusal: Bool {
      status >= 400 && (status != 503 || json?["detail"]?.string?.hasSuffix("nothing was changed") == true)
    }
  }

  private struct Call {
    var reader = HTTPReplyReader()
    var parser = ServerSentEventParser()
    var body: [UInt8] = []
    let told: ((ServerSentEvent) -> Void)?
    let done: (Reply?) -> Void
  }

  private let world: World
  private let connect: (HTTPClient) -> Connection?
  private(set) var connection: Connection?
  private var call: Call?
  /// Whether the connection takes no further request.
  private var isHalfClosed = false

  /// - Parameter connect: Returns a connection; `nil` if nobody listens.
  init(_ world: World, connect: @escaping (HTTPClient) -> Connection?) { (self.world, self.connect) = (world, connect) }

  var isBusy: Bool { call != nil }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - told: Called with each event of a stream.
  ///   - done: Called once with the reply; with `nil` if the connection ends before.
  func send(
    _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: JSONText? = nil,
    told: ((ServerSentEvent) -> Void)? = nil, done: @escaping (Reply?) -> Void
  ) {
    guard call == nil else { preconditionFailure("one request at a time") }
    if connection == nil { connection = connect(self) }
    guard let connection else { return done(nil) }
    call = Call(told: told, done: done)
    var head = "\(method) \(path) HTTP/1.1\r\nHost: router\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    let bytes = body.map { Array($0.bytes) } ?? []
    if body != nil { head += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n" }
    connection.send(Array((head + "\r\n").utf8) + bytes)
  }

  /// Closes the sending side. The request under way gets its reply.
  func closeSending() {
    isHalfClosed = connection != nil
    connection?.closeSending()
  }

  /// Closes the connection. A request under way gets no reply.
  func hangUp() {
    call = nil
    connection?.close()
    forget()
  }

  private func forget() { (connection, isHalfClosed) = (nil, false) }

  func received(_ bytes: [UInt8], from connection: Connection) {
    guard connection === self.connection, var call else { return }
    do {
      for part in try call.reader.feed(bytes[...]) {
        guard let told = call.told, call.reader.status == 200 else {
          call.body += part
          continue
        }
        for event in try call.parser.feed(part) {
          told(event)
          // It may hang up.
          if self.call == nil { return }
        }
      }
    } catch {
      world.violate("a reply cannot be read: \(error)")
    }
    self.call = call
    guard call.reader.hasEnded else { return }
    self.call = nil
    if isHalfClosed { forget() }
    call.done(Reply(status: call.reader.status ?? 0, body: call.body))
  }

  func closed(_ connection: Connection) {
    guard connection === self.connection else { return }
    if isHalfClosed, call != nil, !connection.isAbandoned { world.violate("a half-closed connection got no reply") }
    forget()
    guard let call else { return }
    self.call = nil
    call.done(nil)
  }
}
