import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// The directory in which systemd's programs place their questions.
struct AskPasswordDirectory: Sendable {
  /// The identity of a file: a new file with the same name has a different inode.
  struct Entry: Sendable, Hashable {
    var name: String
    var inode: UInt64
  }

  let path: String
  /// Yields once at the start and after each change; changes may be coalesced.
  let changes: AsyncStream<Void>

  /// Watches a directory, and creates it if it does not exist.
  init(path: String) throws {
    self.path = path
    do {
      try Directories.make(path, mode: 0o777)
    } catch {
      throw CommandFailure(.defect, "cannot create \(path): \(error)")
    }
    let descriptor = inotify_init()
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
    guard descriptor >= 0, inotify_add_watch(descriptor, path, events) >= 0 else {
      throw CommandFailure(.defect, "cannot watch \(path): \(String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    continuation.yield()
    // Ends with the process.
    try Thread.start {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { continuation.yield() } else if errno != EINTR { break }
      }
      continuation.finish()
    }
  }

  /// The current question files, readable or not.
  var entries: Set<Entry> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(
      names.filter { $0.begins(with: "ask.") }.compactMap { name in
        var file = stat()
        return lstat(path + "/" + name, &file) == 0 ? Entry(name: name, inode: UInt64(file.st_ino)) : nil
      })
  }

  func file(_ entry: Entry) throws(AskPasswordFile.Malformed) -> AskPasswordFile {
    guard let text = SmallFile.text(path + "/" + entry.name) else { throw .init(reason: "it cannot be read") }
    return try AskPasswordFile(text)
  }
}
