import Glibc
import Router

/// The limit of open files and sockets. Each waiting request holds one connection.
enum DescriptorLimit {
  /// The minimum for a start: the daemon's own files, rejected connections, and a few accepted ones.
  static let minimum = 256

  /// Raises the soft limit to the hard limit and returns it. Throws ``RouterError`` if the limit is below ``minimum``.
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
