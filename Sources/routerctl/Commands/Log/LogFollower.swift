import Glibc
import Router

/// Reads new entries from the database, each once and in order, across daemon restarts and replaced files.
struct LogFollower<Element: Sendable> {
  /// Returns a page of entries after, or before, the query's cursor.
  typealias Page = @Sendable (AuditReader, AuditQuery) async throws -> (page: [Element], next: Int64?)

  private let path: String
  private let query: AuditQuery
  private let page: Page
  /// How many existing entries to include; `nil` for all, and after the first read.
  private var backlog: Int?
  private var opened: (reader: AuditReader, file: FileIdentity)?
  private(set) var position: Int64 = 0

  init(path: String, query: AuditQuery, backlog: Int?, page: @escaping Page) {
    self.path = path
    self.query = query
    self.backlog = backlog
    self.page = page
  }

  /// Passes on entries added since the last call, in pages; returns whether there is a database.
  mutating func poll(body: ([Element]) throws -> Void) async throws -> Bool {
    guard let reader = try open() else {
      // If the database did not exist at the start, all of its entries are new.
      backlog = nil
      return false
    }
    let last = try await reader.lastSeq()
    guard last > position else { return true }
    // Entries committed while the pages are read are left for the next call, so that each is seen exactly once.
    var query = query
    query.through = last
    query.cursor = backlog == nil ? position : nil
    if backlog == 0 { try body([]) }
    try await reader.forEachPage(query, newest: backlog, read: { try await page(reader, $0) }, body: body)
    backlog = nil
    position = last
    return true
  }

  /// Opens a reader of the current file; `nil` if the file is missing or empty.
  private mutating func open() throws -> AuditReader? {
    let file = FileIdentity(path: path)
    if let opened {
      // A snapshot reader, opened while there was no writer, does not see later writes.
      let isStale = opened.reader.isSnapshot && FileIdentity(path: path + "-wal") != nil
      if opened.file == file, !isStale { return opened.reader }
      if opened.file != file { position = 0 }
    }
    opened = nil
    do {
      let reader = try AuditReader(path: path)
      // Without an identity, the file was just created; open it again next time.
      if let file { opened = (reader, file) }
      return reader
    } catch let error as RouterError where error.code == .notFound {
      // The daemon never removes its database. If the file is gone, another one may replace it.
      position = 0
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
