import FoundationEssentials
import Glibc
import Router

/// The directory in which systemd's programs leave their questions.
struct AskPasswordDirectory: Sendable {
  /// A file as it is now: another file under the same name has another inode.
  struct Entry: Sendable, Hashable {
    var name: String
    var inode: UInt64
  }

  let path: String
  /// Yields once at first, and then after changes; several may count as one.
  let changes: AsyncStream<Void>

  /// Starts to watch a directory, and makes it if it is missing.
  init(path: String) throws {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(.failed, "cannot make \(path): \(error)")
    }
    let descriptor = inotify_init()
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
    guard descriptor >= 0, inotify_add_watch(descriptor, path, events) >= 0 else {
      throw CommandFailure(.failed, "cannot watch \(path): \(String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    continuation.yield()
    // Lives as long as the process.
    Thread.start {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { continuation.yield() } else if errno != EINTR { break }
      }
      continuation.finish()
    }
  }

  /// The questions that are there, whether they can be read or not.
  var entries: Set<Entry> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(
      names.filter { $0.hasPrefix("ask.") }.compactMap { name in
        var file = stat()
        return lstat(path + "/" + name, &file) == 0 ? Entry(name: name, inode: UInt64(file.st_ino)) : nil
      })
  }

  func file(_ entry: Entry) throws(AskPasswordFile.Malformed) -> AskPasswordFile {
    guard let text = SmallFile.text(path + "/" + entry.name) else { throw .init(reason: "it cannot be read") }
    return try AskPasswordFile(text)
  }
}
