import Glibc
import Router

/// A log to follow: the database's file, or the daemon.
protocol FollowedLog: Sendable {
  /// The description of the missing log in messages.
  var name: String { get }
  /// The time between two calls of ``LogSource/follow(after:_:body:)``.
  var interval: Duration { get }

  /// Opens the log, and returns whether it replaces the previous one; `nil` if there is none.
  mutating func open() throws -> (source: any LogSource, isNew: Bool)?
}

/// The database at a path, which may be missing or replaced.
struct LogFile: FollowedLog {
  let path: String
  private var opened: (reader: AuditReader, file: FileIdentity)?

  init(path: String) { self.path = path }

  var name: String { "a database at \(path)" }
  // Polling the last event number reads one row and takes microseconds. Five polls a second cost less than watching the
  // write-ahead log, which is created and removed with the daemon, and are as reliable.
  var interval: Duration { .milliseconds(200) }

  mutating func open() throws -> (source: any LogSource, isNew: Bool)? {
    let file = FileIdentity(path: path)
    let isNew = opened != nil && opened?.file != file
    if let reader = opened?.reader, !isNew {
      // A snapshot reader, opened while there was no writer, does not see later writes.
      let isStale = reader.isSnapshot && FileIdentity(path: path + "-wal") != nil
      if !isStale { return (reader, false) }
    }
    opened = nil
    do {
      let reader = try AuditReader(path: path)
      // Without an identity, the file was just created; open it again next time.
      if let file { opened = (reader, file) }
      return (reader, isNew)
    } catch let error as RouterError where error.code == .notFound {
      return nil
    }
  }
}

/// The identity of a file, since the file at a path may be replaced.
private struct FileIdentity: Hashable {
  let device: UInt
  let number: UInt

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
  }
}
