import Glibc
import RouterCore

package enum Directories {
  /// Returns the missing directories of a path, outermost first.
  package static func missing(_ path: String) -> [String] {
    let parent = path.parentDirectory
    // The dot makes the check fail for a file.
    guard parent != path, access(path + "/.", F_OK) != 0 else { return [] }
    return missing(parent) + [path]
  }

  /// Creates a directory and its missing parents.
  package static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemFailure) {
    for directory in missing(path) where mkdir(directory, mode) != 0 && access(directory + "/.", F_OK) != 0 {
      throw SystemFailure()
    }
  }
}
