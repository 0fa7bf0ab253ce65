import Foundation
import Router

/// A Unix socket that answers each request with 204.
final class UnixListener: Sendable {
  let path: String
  /// The request of each connection.
  let requests: AsyncStream<String>
  private let descriptor: CInt

  init(path: String) throws {
    self.path = path
    let (requests, continuation) = AsyncStream<String>.makeStream()
    self.requests = requests
    let listening = try UnixSocket.listen(at: path)
    descriptor = listening
    // Closes the socket only after its shutdown, so that its number is not reused meanwhile.
    Thread.detachNewThread {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { break }
        continuation.yield(Self.take(connection))
        close(connection)
      }
      close(listening)
      continuation.finish()
    }
  }

  deinit {
    shutdown(descriptor, CInt(SHUT_RDWR))
  }

  /// Reads one request to the end of its body, and replies.
  private static func take(_ connection: CInt) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !isWhole(bytes) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    let reply = Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)
    _ = send(connection, reply, reply.count, CInt(MSG_NOSIGNAL))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"),
      let length = text[..<end.lowerBound].lowercased().components(separatedBy: "content-length: ").last?.prefix(
        while: \.isNumber)
    else { return false }
    return text[end.upperBound...].utf8.count >= Int(length) ?? 0
  }
}
