import Glibc

/// How many files and sockets this process may have open: one waiting request is one connection.
enum DescriptorLimit {
  /// Raises the soft limit to the hard one.
  ///
  /// - Returns: What holds now.
  static func raise() -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    if limit.rlim_cur < limit.rlim_max {
      let soft = limit.rlim_cur
      limit.rlim_cur = limit.rlim_max
      if setrlimit(resource, &limit) != 0 { limit.rlim_cur = soft }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
