import Glibc
import RouterCore

extension AuditReader {
  /// Copies a consistent snapshot of the log, without blocking its writer.
  ///
  /// - Parameter file: The path of the copy (mode 0600), which must not exist. The file appears once the copy is complete.
  /// - Throws: ``RouterError`` if the file exists or cannot be written; `CancellationError`. Removes partial copies.
  public func backUp(to file: String, progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws {
    guard access(file, F_OK) != 0 else { throw RouterError(.invalid, "cannot back up to \(file): the file exists already") }
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
    // Does not replace a file created in the meantime.
    guard link(partial, file) == 0 else {
      throw RouterError(.database, "cannot back up to \(file): \(String(cString: strerror(errno)))")
    }
  }
}
