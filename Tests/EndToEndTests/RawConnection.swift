import Foundation
import Router

/// A connection of a test's own to the daemon: bytes as they are, sent and taken when the test likes.
final class RawConnection: Sendable {
  private let descriptor: CInt

  init(_ path: String) throws {
    descriptor = try UnixSocket.connect(to: path)
  }

  deinit {
    close(descriptor)
  }

  /// Sends bytes, as far as the daemon still takes any.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// What comes until it has the text, or nothing more will come.
  func receive(until end: String? = nil) async -> String {
    await onThread { [descriptor] in
      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while end.map({ !String(decoding: received, as: UTF8.self).contains($0) }) ?? true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        received.append(contentsOf: buffer[..<count])
      }
      return String(decoding: received, as: UTF8.self)
    }
  }

  /// A response's head.
  func head() async -> String { await receive(until: "\r\n\r\n") }

  /// Whether the daemon has closed its side.
  var isClosed: Bool {
    var poll = pollfd(fd: descriptor, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  /// Waits until the daemon has closed its side, without taking any of what it sent.
  func closed() async {
    await onThread { [descriptor] in
      var poll = pollfd(fd: descriptor, events: 0, revents: 0)
      while Glibc.poll(&poll, 1, -1) < 0, errno == EINTR {}
    }
  }

  /// Sends one byte after the other, and lets some time go by between them, until the daemon has closed its side.
  ///
  /// - Returns: How many it sent.
  func dribble(_ text: String, every milliseconds: CInt) async -> Int {
    await onThread { [descriptor] in
      for (count, byte) in text.utf8.enumerated() {
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)
        guard Glibc.poll(&poll, 1, milliseconds) == 0 else { return count }
        guard Glibc.send(descriptor, [byte], 1, CInt(MSG_NOSIGNAL)) == 1 else { return count }
      }
      return text.utf8.count
    }
  }

  /// Calls are made on a thread of their own: they block, and a test has few threads.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}
