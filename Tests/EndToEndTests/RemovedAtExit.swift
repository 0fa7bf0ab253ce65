import Foundation
import Glibc
import Router

/// The directories of processes that all tests share, which are deleted when this process exits.
enum RemovedAtExit {
  private static let directories = Mutex<[String]>([])

  static func add(_ directory: String) {
    let isFirst = directories.withLock { directories in
      directories.append(directory)
      return directories.count == 1
    }
    guard isFirst else { return }
    atexit {
      for directory in RemovedAtExit.directories.withLock(\.self) { try? FileManager.default.removeItem(atPath: directory) }
    }
  }
}
