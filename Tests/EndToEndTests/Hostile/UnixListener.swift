import Foundation
import Router

/// A socket of a test's own that takes requests and answers each with 204.
final class UnixListener: Sendable {
  let path: String
  /// What each connection sent.
  let requests: AsyncStream<String>
  private let descriptor: CInt

  init(path: String) throws {
    self.path = path
    let (requests, continuation) = AsyncStream<String>.makeStream()
    self.requests = requests
    let listening = try UnixSocket.listen(at: path)
    descriptor = listening
    // Ends when the socket is shut down, and closes it: until then its number is in use.
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

  /// Reads one request to the end of its body, and answers.
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
