import Glibc
import Router

/// How many files and sockets this process may have open: one waiting request is one connection.
enum DescriptorLimit {
  /// The least the daemon starts with: its own files, clients that are told that there is no room, and some that there is for.
  static let minimum = 256

  /// Raises the soft limit to the hard one and returns it. Throws ``RouterError`` if it is below ``minimum``.
  static func raise() throws -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    if limit.rlim_cur < limit.rlim_max {
      let soft = limit.rlim_cur
      limit.rlim_cur = limit.rlim_max
      if setrlimit(resource, &limit) != 0 { limit.rlim_cur = soft }
    }
    let descriptors = Int(clamping: limit.rlim_cur)
    guard descriptors >= minimum else {
      throw RouterError(
        .invalid,
        "cannot start: this process may open \(descriptors) files, and routerd needs \(minimum); raise the limit (ulimit -n, LimitNOFILE)"
      )
    }
    return descriptors
  }
}
