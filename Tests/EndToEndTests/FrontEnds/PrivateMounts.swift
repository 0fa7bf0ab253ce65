import Foundation
import Router
import RouterSystem

/// Starts programs in a private mount namespace (unshare(1)), in which other files replace the system's. The system itself is
/// not changed. Requires root.
enum PrivateMounts {
  static let isPossible: Bool = {
    guard geteuid() == 0, let unshare = try? child(["-m", "/bin/true"]) else { return false }
    return unshare.wait() == 0
  }()
  static let reason = "only root can mount, and a container may forbid it"

  private static func child(_ arguments: [String]) throws -> RouterSystem.ChildProcess {
    try .init("/usr/bin/unshare", arguments, descriptors: (STDIN_FILENO, STDERR_FILENO, STDERR_FILENO))
  }

  /// Starts a program.
  ///
  /// - Parameter mounts: The files to mount at system paths.
  static func start(
    _ mounts: KeyValuePairs<String, String>, _ program: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let commands = (["true"] + mounts.map { path, source in "mount --bind '\(source)' '\(path)'" }).joined(separator: " && ")
    return try ChildProcess(
      "/usr/bin/unshare", ["-m", "/bin/sh", "-c", commands + #" && exec "$@""#, "sh"] + program, environment: environment)
  }
}
