import Glibc
import Router
import RouterCommandLine

/// A target's failure to accept evidence, which may be temporary.
struct TargetFailure: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Creates a failure from a failed command, with the first line of its errors.
  init(_ result: ShellCommand.Result) {
    let error = String(decoding: result.errors, as: UTF8.self).lines.first { !$0.isEmpty }
    self.init(error.map(String.init) ?? "the command exited with status \(result.status)")
  }

  /// Creates a failure from a failed system call's `errno`.
  init(failed what: String) { self.init("cannot \(what): \(String(cString: strerror(errno)))") }
}
