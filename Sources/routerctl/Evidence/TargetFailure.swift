import Glibc
import Router
import RouterCommandLine

/// Why a target cannot take evidence now. It may be able to later.
struct TargetFailure: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A command that has failed, with the first line of its errors.
  init(_ result: ShellCommand.Result) {
    let error = String(decoding: result.errors, as: UTF8.self).lines.first { !$0.isEmpty }
    self.init(error.map(String.init) ?? "the command exited with status \(result.status)")
  }

  /// A failure of a system call, from `errno`.
  init(failed what: String) { self.init("cannot \(what): \(String(cString: strerror(errno)))") }
}
