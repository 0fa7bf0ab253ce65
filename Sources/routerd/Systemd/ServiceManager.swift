import Glibc
import Logging
import Router
import RouterClient

/// Notifies the service manager of the daemon's state, with one datagram per message (sd_notify(3)). Does nothing without a
/// service manager.
struct ServiceManager: Sendable {
  private let address: UnixSocketAddress?
  private let logger: Logger

  /// - Parameter address: The value of `NOTIFY_SOCKET`: a path, or `@` and an abstract name (unix(7)).
  init(address: String?, logger: Logger) {
    self.logger = logger
    switch address?.first {
    case "/": self.address = try? UnixSocketAddress(path: address!)
    case "@": self.address = try? UnixSocketAddress(abstract: String(address!.dropFirst()))
    default: self.address = nil
    }
    if let address, !address.isEmpty, self.address == nil {
      logger.warning("NOTIFY_SOCKET is neither the path of a socket nor an abstract name", metadata: ["address": "\(address)"])
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
    let message = lines.map { $0.replacing(each: "\n", with: " ") }.joined(separator: "\n")
    // A service manager that does not read must not block the daemon.
    let error = DatagramSocket(to: address, .second).map { Array(message.utf8).withUnsafeBytes($0.send) } ?? errno
    guard error != 0 else { return }
    logger.warning("cannot notify the service manager", metadata: ["error": "\(String(cString: strerror(error)))"])
  }
}
