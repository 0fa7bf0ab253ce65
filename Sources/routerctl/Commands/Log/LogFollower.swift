import Glibc
import Router

/// Reads new entries of the database, each once and in order, across restarts of the daemon and replaced files.
struct LogFollower<Element: Sendable> {
  /// A page of what there is after, or before, the query's cursor.
  typealias Page = @Sendable (AuditReader, AuditQuery) async throws -> (page: [Element], next: Int64?)

  private let path: String
  private let query: AuditQuery
  private let page: Page
  /// How many of what is there at the start are wanted; `nil` for all, and after the start.
  private var backlog: Int?
  private var opened: (reader: AuditReader, file: FileIdentity)?
  private(set) var position: Int64 = 0

  init(path: String, query: AuditQuery, backlog: Int?, page: @escaping Page) {
    self.path = path
    self.query = query
    self.backlog = backlog
    self.page = page
  }

  /// Passes on what is new since the last call, in pages; returns whether there is a database.
  mutating func poll(body: ([Element]) throws -> Void) async throws -> Bool {
    guard let reader = try open() else {
      // What is written once the database is there is new, all of it.
      backlog = nil
      return false
    }
    let last = try await reader.lastSeq()
    guard last > position else { return true }
    // What is committed while the pages are read is left for the next time: so each has its place, and is seen once.
    var query = query
    query.through = last
    query.cursor = backlog == nil ? position : nil
    if backlog == 0 { try body([]) }
    try await reader.forEachPage(query, newest: backlog, read: { try await page(reader, $0) }, body: body)
    backlog = nil
    position = last
    return true
  }

  /// The reader of the file that is there now; `nil` where there is none, or an empty one.
  private mutating func open() throws -> AuditReader? {
    let file = FileIdentity(path: path)
    if let opened {
      // A reader that found nobody writing sees nothing of what is written later.
      let isStale = opened.reader.isSnapshot && FileIdentity(path: path + "-wal") != nil
      if opened.file == file, !isStale { return opened.reader }
      if opened.file != file { position = 0 }
    }
    opened = nil
    do {
      let reader = try AuditReader(path: path)
      // Without an identity it has come this moment, and is opened again the next time.
      if let file { opened = (reader, file) }
      return reader
    } catch let error as RouterError where error.code == .notFound {
      // The daemon never takes its database away. Whoever did may put another one there.
      position = 0
      return nil
    }
  }
}

/// Which file a path leads to: the same name may be another file later.
private struct FileIdentity: Hashable {
  let device: UInt
  let number: UInt

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
  }
}
