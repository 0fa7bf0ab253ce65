import Glibc
import Router
import RouterClient
import RouterCommandLine

/// Sends events to a syslog server over TCP, octet-counted (RFC 6587). The protocol has no acknowledgement, so an event counts
/// as acknowledged when the server's kernel has received it.
final class SyslogTCPTarget: ForwardTarget {
  private let host: String
  private let port: UInt16
  private let encoder: ForwardEncoder
  private let connection = Mutex<TCPConnection?>(nil)

  init(host: String, port: UInt16, encoder: ForwardEncoder) {
    (self.host, self.port, self.encoder) = (host, port, encoder)
  }

  var description: String { "tcp:\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  func send(
    _ events: ArraySlice<ChainedEvent>, after head: AuditHead, acknowledge: @Sendable (AuditHead) async throws -> Void
  ) async throws {
    guard let last = events.last else { return }
    let frames = events.flatMap { event in
      let message = encoder.syslog(event)
      return Array("\(message.count) ".utf8) + message
    }
    let result = await blockingWork { Result { try self.send(frames) } }
    try result.get()
    try await acknowledge(last.head)
  }

  private func send(_ bytes: [UInt8]) throws {
    let connection = try connection.withLock { $0 } ?? TCPConnection(host: host, port: port)
    do {
      try connection.checkOpen()
      try connection.send(bytes)
      try connection.waitForPeer()
      self.connection.withLock { $0 = connection }
    } catch {
      self.connection.withLock { $0 = nil }
      throw error
    }
  }
}

/// Sends events to a local syslog socket, one datagram per event.
final class SyslogSocketTarget: ForwardTarget {
  private let path: String
  private let encoder: ForwardEncoder

  init(path: String, encoder: ForwardEncoder) { (self.path, self.encoder) = (path, encoder) }

  var description: String { "unix:\(path)" }

  func send(
    _ events: ArraySlice<ChainedEvent>, after head: AuditHead, acknowledge: @Sendable (AuditHead) async throws -> Void
  ) async throws {
    guard let address = try? UnixSocketAddress(path: path) else { throw TargetFailure("the path is too long for a socket") }
    guard let socket = DatagramSocket(to: address, .unlimited) else { throw TargetFailure(failed: "create a socket") }
    var sent: AuditHead?
    do {
      for event in events {
        // A detail that does not fit a datagram is omitted, and remains only in the log.
        guard try send(encoder.syslog(event), socket) || send(encoder.syslog(event, isBrief: true), socket) else {
          throw TargetFailure("event \(event.head.seq) is too long")
        }
        sent = event.head
      }
    } catch {
      if let sent { try await acknowledge(sent) }
      throw error
    }
    if let sent { try await acknowledge(sent) }
  }

  /// Sends a datagram; returns whether it fits.
  private func send(_ bytes: [UInt8], _ socket: DatagramSocket) throws -> Bool {
    let error = bytes.withUnsafeBytes(socket.send)
    guard error == 0 || error == EMSGSIZE else { throw TargetFailure(failed: "send to \(path)") }
    return error == 0
  }
}
