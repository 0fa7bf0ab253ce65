import Glibc

package enum FileOwnership {
  /// Whether this user can neither change nor replace a file, or any directory above it. Never true for root.
  package static func isFixed(_ path: String) -> Bool {
    var path = path
    while true {
      guard let status = FileStatus(of: path), status.uid != geteuid(),
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0, errno == EACCES || errno == EROFS
      else { return false }
      if path == "/" { return true }
      let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
      path = end == path.startIndex ? "/" : String(path[..<end])
    }
  }
}
