import Foundation
import Router
import RouterClient

/// A Unix socket that receives datagrams.
final class DatagramSocket: Sendable {
  let messages: AsyncStream<[UInt8]>
  private let message: AsyncStream<[UInt8]>.Continuation
  private let descriptor: CInt
  private let isRead: Mutex<Bool>

  /// - Parameter isRead: Whether it is read from the beginning. Otherwise a few datagrams fit until ``read()``.
  init(path: String, isRead: Bool = true) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    (messages, message) = AsyncStream<[UInt8]>.makeStream()
    self.isRead = Mutex(false)
    guard try UnixSocketAddress(path: path).withPointer({ bind(descriptor, $0, $1) }) == 0 else {
      throw RouterError(.unreachable, "cannot listen")
    }
    if isRead { read() }
  }

  /// Begins to receive.
  func read() {
    isRead.withLock { $0 = true }
    Thread.detachNewThread { [descriptor, message] in
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        message.yield(Array(buffer[..<count]))
      }
      close(descriptor)
    }
  }

  deinit {
    if isRead.withLock(\.self) { shutdown(descriptor, CInt(SHUT_RDWR)) } else { close(descriptor) }
  }
}
