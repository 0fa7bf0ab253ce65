import Glibc
import Router
import RouterClient

/// One kept-alive connection to the daemon, read without waiting.
final class LoadConnection {
  let descriptor: CInt
  private var reader = ReplyReader()
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// - Throws: ``CommandFailure`` where nobody listens there.
  init(path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure("cannot open a connection") }
    guard let address = try? UnixSocketAddress(path: path) else {
      throw CommandFailure(.usage, "cannot connect to \(path): the path is too long")
    }
    let code = address.withPointer { connect(descriptor, $0, $1) }
    guard code == 0 else { throw Self.failure("cannot reach routerd at \(path)") }
  }

  deinit {
    close(descriptor)
  }

  /// Sends a call. It waits for the daemon only where the kernel holds no more of what the daemon has not read.
  func send(_ call: [UInt8]) throws {
    var rest = call[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      if count < 0 {
        guard errno == EINTR else { throw Self.failure("cannot go on: the connection was lost") }
        continue
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Takes what has come.
  func receive(_ body: (ReplyReader.Part) throws -> Void) throws {
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT)) }
    guard count != 0 else { throw CommandFailure(.unreachable, "cannot go on: routerd has closed a connection") }
    guard count > 0 else {
      guard errno == EAGAIN || errno == EINTR else { throw Self.failure("cannot go on: the connection was lost") }
      return
    }
    try reader.feed(buffer[..<count], body)
  }

  private static func failure(_ what: String) -> CommandFailure {
    CommandFailure(.unreachable, "\(what): \(String(cString: strerror(errno)))")
  }
}
