import Glibc
import RouterCore

package enum Directories {
  /// Returns the directories that are missing for a directory to exist, outermost first.
  package static func missing(_ path: String) -> [String] {
    let parent = path.parentDirectory
    // With the dot, a file is not taken for a directory.
    guard parent != path, access(path + "/.", F_OK) != 0 else { return [] }
    return missing(parent) + [path]
  }

  /// Creates a directory and those above it, as far as they are missing.
  package static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemFailure) {
    for directory in missing(path) where mkdir(directory, mode) != 0 && access(directory + "/.", F_OK) != 0 {
      throw SystemFailure()
    }
  }
}
