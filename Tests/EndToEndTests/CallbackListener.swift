import Foundation
import Router

/// A program that wants to be called back: it listens on a Unix socket and answers each call as it is told.
final class CallbackListener: Sendable {
  /// What was posted, in order.
  let calls: AsyncStream<Call>
  private let descriptor: CInt

  struct Call: Sendable {
    let line: String
    let presentation: Presentation
  }

  /// Listens.
  ///
  /// - Parameter statuses: What it answers, one after the other; 204 when they have run out.
  init(_ path: String, answering statuses: [Int] = []) throws {
    unlink(path)
    let descriptor = try UnixSocket.listen(at: path)
    self.descriptor = descriptor
    let (calls, continuation) = AsyncStream<Call>.makeStream()
    self.calls = calls
    // Ends when the listener goes away.
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

  /// The next call; waits for it.
  func next() async throws -> Call {
    for await call in calls { return call }
    throw CancellationError()
  }

  /// Reads one call; `nil` for a connection that ended before it.
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
