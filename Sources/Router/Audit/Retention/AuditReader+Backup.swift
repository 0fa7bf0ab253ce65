import Glibc

extension AuditReader {
  /// Makes a copy of the log as it is at one moment, whatever is written meanwhile. It never holds up the writer.
  ///
  /// The copy is written beside the file under another name and put in its place when it is whole and on the disk.
  ///
  /// - Parameters:
  ///   - file: The copy's path (mode 0600), where nothing may be yet.
  ///   - progress: Called now and then with how much is done, from 0 to 1.
  /// - Throws: ``RouterError`` if there is something, or it cannot be written; `CancellationError` if the task is cancelled.
  ///   Then nothing is left behind.
  public func backUp(to file: String, progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws {
    guard access(file, F_OK) != 0 else { throw RouterError(.invalid, "cannot back up to \(file): there is something already") }
    let partial = "\(file).\(getpid()).partial"
    let descriptor = Glibc.open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RouterError(.database, "cannot back up to \(file): \(String(cString: strerror(errno)))")
    }
    Glibc.close(descriptor)
    defer { unlink(partial) }
    await finishWriting?()
    try await read { connection in
      do {
        try connection.backUp(to: partial) { share in
          progress(share)
          try Task.checkCancellation()
        }
      } catch let error as SQLiteError {
        throw RouterError(.database, "cannot back up to \(file): \(error.message)", cause: error)
      }
    }
    // A name that has come to be there meanwhile is not replaced.
    guard link(partial, file) == 0 else {
      throw RouterError(.database, "cannot back up to \(file): \(String(cString: strerror(errno)))")
    }
  }
}
