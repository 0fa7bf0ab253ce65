extension AuditReader {
  /// The newest event's number and hash.
  public func head() async throws -> AuditHead {
    try await read(AuditHead.init)
  }

  /// Checks the whole log in one snapshot: the hash chain, every row against the fold of its events, and the tables for queries.
  ///
  /// - Parameters:
  ///   - expected: A head that was kept elsewhere, which must be on the chain.
  ///   - progress: Called now and then with how much of the work is done, from 0 to 1, on another thread.
  /// - Throws: ``RouterError`` if the log cannot be read; `CancellationError`. Faults are part of the result.
  public func verify(
    expecting expected: AuditHead? = nil, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> AuditVerification {
    try await read(steps: nil) { connection in
      try connection.transaction("BEGIN") {
        try AuditVerifier.verify(connection, expecting: expected, progress: progress)
      }
    }
  }
}
