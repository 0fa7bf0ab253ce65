import Foundation
import Router

/// A syslog server that reads octet-counted messages (RFC 6587) from one TCP connection after the other.
final class SyslogServer: Sendable {
  let port: UInt16
  /// The messages of each connection, once it has ended, without an incomplete last one.
  let connections: AsyncStream<[String]>
  private let descriptor: CInt

  /// - Parameter received: Called with the number of bytes that a connection has received so far.
  init(received: @escaping @Sendable (Int) -> Void = { _ in }) throws {
    let (listening, port) = try LoopbackSocket.listen()
    (descriptor, self.port) = (listening, port)
    let (connections, ended) = AsyncStream<[String]>.makeStream()
    self.connections = connections
    // Closes the socket only after its shutdown, so that its number is not reused meanwhile.
    Thread.detachNewThread {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { break }
        ended.yield(Self.messages(connection, received))
        close(connection)
      }
      close(listening)
      ended.finish()
    }
  }

  deinit { shutdown(descriptor, CInt(SHUT_RDWR)) }

  private static func messages(_ connection: CInt, _ received: (Int) -> Void) -> [String] {
    var (bytes, buffer, total) = ([UInt8](), [UInt8](repeating: 0, count: 16_384), 0)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer[..<count]
      total += count
      received(total)
    }
    var (messages, rest) = ([String](), bytes[...])
    while let space = rest.firstIndex(of: UInt8(ascii: " ")),
      let length = Int(String(decoding: rest[..<space], as: UTF8.self)), rest.endIndex - space > length
    {
      messages.append(String(decoding: rest[(space + 1)...].prefix(length), as: UTF8.self))
      rest = rest[(space + 1)...].dropFirst(length)
    }
    return messages
  }

  /// The number of the event in a message.
  static func number(_ message: String) -> Int64? {
    message.firstMatch(of: /\[router@32473 seq="(\d+)"/).flatMap { Int64($0.1) }
  }
}
