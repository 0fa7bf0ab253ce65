import Foundation
import Router

/// A raw connection to the daemon, over which a test sends and receives bytes when it likes.
final class RawConnection: Sendable {
  private let descriptor: CInt

  init(_ path: String) throws {
    descriptor = try UnixSocket.connect(to: path)
  }

  deinit {
    close(descriptor)
  }

  /// Sends bytes. Returns whether all of them were sent.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// Sends bytes on a separate thread, and waits until the daemon has read enough of them. Returns whether all were sent.
  func sendAll(_ text: String) async -> Bool {
    await onThread { [descriptor] in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Closes the sending side, as `nc -N` and `socat` do after their input.
  func closeSending() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Receives until the data contains a text, or the connection ends.
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

  /// Receives the head of a response.
  func head() async -> String { await receive(until: "\r\n\r\n") }

  /// Whether the daemon has closed its side.
  var isClosed: Bool {
    var poll = pollfd(fd: descriptor, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  /// Waits until the daemon has closed its side, without receiving anything.
  func closed() async {
    await onThread { [descriptor] in
      var poll = pollfd(fd: descriptor, events: 0, revents: 0)
      while Glibc.poll(&poll, 1, -1) < 0, errno == EINTR {}
    }
  }

  /// Sends single bytes with a pause in between until the daemon has closed its side.
  ///
  /// - Returns: The number of bytes sent.
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

  /// Runs blocking calls on a dedicated thread, because the tests share few threads.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}
