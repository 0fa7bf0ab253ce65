import Foundation
import Router

/// A callback receiver that listens on a Unix socket and replies with given statuses.
final class CallbackListener: Sendable {
  /// The received calls, in order.
  let calls: AsyncStream<Call>
  private let descriptor: CInt

  struct Call: Sendable {
    let line: String
    let presentation: Presentation
  }

  /// Starts listening.
  ///
  /// - Parameter statuses: The statuses to reply with, in order; then 204.
  init(_ path: String, answering statuses: [Int] = []) throws {
    unlink(path)
    let descriptor = try UnixSocket.listen(at: path)
    self.descriptor = descriptor
    let (calls, continuation) = AsyncStream<Call>.makeStream()
    self.calls = calls
    // Ends when the listener is deallocated.
    Thread.detachNewThread {
      var statuses = statuses[...]
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { break }
        if let call = Self.read(connection) {
          let status = statuses.popFirst() ?? 204
          let reply = Array("HTTP/1.1 \(status) x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
          _ = send(connection, reply, reply.count, CInt(MSG_NOSIGNAL))
          continuation.yield(call)
        }
        close(connection)
      }
      close(descriptor)
      continuation.finish()
    }
  }

  deinit {
    shutdown(descriptor, CInt(SHUT_RDWR))
  }

  /// Waits for the next call and returns it.
  func next() async throws -> Call {
    for await call in calls { return call }
    throw CancellationError()
  }

  /// Reads one call; `nil` if the connection ends early.
  private static func read(_ connection: CInt) -> Call? {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer[..<count]
      let text = String(decoding: received, as: UTF8.self)
      guard let head = text.range(of: "\r\n\r\n") else { continue }
      let lines = text[..<head.lowerBound].split(separator: "\r\n").map(String.init)
      let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
      let body = Array(text[head.upperBound...].utf8)
      guard let length, body.count >= length, let line = lines.first else { continue }
      guard let json = try? JSONValue(parsing: body, maximumDepth: JSONValue.maximumWrappedDepth),
        let presentation = try? Presentation(json: json)
      else { return nil }
      return Call(line: line, presentation: presentation)
    }
  }
}
