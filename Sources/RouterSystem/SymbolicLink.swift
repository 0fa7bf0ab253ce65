import Glibc

package enum SymbolicLink {
  /// Returns the target of the link at a path; `nil` if there is no link, or it cannot be read.
  package static func target(of path: String) -> [UInt8]? {
    withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      let count = readlink(path, buffer.baseAddress!, buffer.count)
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }
}
