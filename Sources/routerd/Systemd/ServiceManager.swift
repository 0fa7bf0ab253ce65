import Glibc
import Logging
import Router

/// Notifies the service manager of the daemon's state, with one datagram per message (sd_notify(3)). Does nothing
/// without one.
struct ServiceManager: Sendable {
  private let address: [UInt8]?
  private let logger: Logger

  /// - Parameter address: The value of `NOTIFY_SOCKET`: a path, or `@` and an abstract name (unix(7)).
  init(address: String?, logger: Logger) {
    self.logger = logger
    let capacity = MemoryLayout<sockaddr_un>.size - MemoryLayout<sa_family_t>.size
    switch address?.first {
    case "/" where address!.utf8.count < capacity: self.address = Array(address!.utf8) + [0]
    case "@" where address!.utf8.count <= capacity: self.address = [0] + Array(address!.utf8.dropFirst())
    case nil: self.address = nil
    default:
      logger.warning("NOTIFY_SOCKET is neither a path nor an abstract name", metadata: ["address": "\(address ?? "")"])
      self.address = nil
    }
  }

  static func current(logger: Logger) -> ServiceManager {
    ServiceManager(address: getenv("NOTIFY_SOCKET").map { String(cString: $0) }, logger: logger)
  }

  /// Reports that the daemon is ready, after the start or a reload.
  func ready(_ status: String) { notify("READY=1", "STATUS=\(status)") }

  /// Reports a reload; ``ready(_:)`` follows.
  func reloading() {
    notify("RELOADING=1", "MONOTONIC_USEC=\(MonotonicClock.microseconds)")
  }

  func stopping() { notify("STOPPING=1", "STATUS=Shutting down") }

  func alive() { notify("WATCHDOG=1") }

  private func notify(_ lines: String...) {
    guard let address else { return }
    // A line break would start another variable.
    let message = lines.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
    guard !Self.send(Array(message.utf8), to: address) else { return }
    logger.warning("cannot notify the service manager", metadata: ["error": "\(String(cString: strerror(errno)))"])
  }

  private static func send(_ message: [UInt8], to path: [UInt8]) -> Bool {
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A timeout of one second, as in `struct timeval`, so that a service manager that does not read cannot block the
    // daemon.
    var patience = [1, 0]
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<Int>.stride * 2))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, message, message.count, CInt(MSG_NOSIGNAL), $0, size) == message.count
      }
    }
  }
}
