import Glibc
import Router
import RouterCommandLine

/// Why a target cannot take evidence now. It may be able to later.
struct TargetFailure: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A failure of a system call, from `errno`.
  init(failed what: String) { self.init("cannot \(what): \(String(cString: strerror(errno)))") }
}
