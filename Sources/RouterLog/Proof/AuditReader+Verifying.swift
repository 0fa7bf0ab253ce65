package import RouterCore

extension AuditReader {
  /// The number and hash of the newest event.
  package func head() async throws -> AuditHead {
    try await read(rows: .unused, AuditHead.init)
  }

  /// Checks the whole log: the hash chain, each row against its events, and the derived tables, in one snapshot. Concurrently
  /// checks the pages of the database and the search index.
  ///
  /// - Parameters:
  ///   - expected: A head kept outside the log, to be found in the chain.
  ///   - anchors: Further heads, with their names for faults. Heads of pruned events are skipped.
  ///   - progress: Called periodically, on another thread, with the completed fraction from 0 to 1.
  /// - Throws: ``RouterError`` if the log cannot be read; `CancellationError`. Faults are part of the result.
  package func verify(
    expecting expected: AuditHead? = nil, anchors: [(name: String, head: AuditHead)] = [],
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> AuditVerification {
    let other = try another()
    async let indexes = read(rows: .unused, steps: nil) { connection in
      try connection.transaction("BEGIN") { try AuditVerifier.indexFaults(connection) }
    }
    var verification = try await other.read(rows: .unused, steps: nil) { connection in
      try connection.transaction("BEGIN") {
        try AuditVerifier.verify(connection, expecting: expected, anchors: anchors, progress: progress)
      }
    }
    for fault in try await indexes where !verification.faults.contains(fault) { verification.faults.append(fault) }
    return verification
  }
}
