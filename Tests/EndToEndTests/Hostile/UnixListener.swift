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
    let listening = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    descriptor = listening
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listening, 8) == 0 else {
      throw RouterError(.unreachable, "cannot listen on \(path): \(String(cString: strerror(errno)))")
    }
    // Ends when the socket is shut down.
    Thread.detachNewThread {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { break }
        continuation.yield(Self.take(connection))
        close(connection)
      }
      continuation.finish()
    }
  }

  deinit {
    shutdown(descriptor, CInt(SHUT_RDWR))
    close(descriptor)
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
