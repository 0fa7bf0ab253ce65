extension AuditReader {
  /// The newest event's number and hash.
  public func head() async throws -> AuditHead {
    try await read(AuditHead.init)
  }

  /// Checks the whole log in one snapshot: the hash chain, every row against the fold of its events, and the tables for queries.
  ///
  /// - Parameters:
  ///   - expected: A head that was kept elsewhere, which must be on the chain.
  ///   - progress: Called now and then with how much of the work is done, from 0 to 1, on other threads.
  /// - Throws: ``RouterError`` if the log cannot be read; `CancellationError`. Faults are part of the result.
  public func verify(
    expecting expected: AuditHead? = nil, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> AuditVerification {
    // A log in memory and a snapshot have one connection.
    if isInMemory || isSnapshot {
      return try await read(steps: nil) { connection in
        try connection.transaction("BEGIN") {
          let check = try AuditCheck(connection, expected, parts: 1, progress)
          return try check.conclude(check.jobs.map { try $0(connection) }, connection)
        }
      }
    }
    let connections = try (0..<3).map { _ in try AuditReaderConnection(path: path) }
    do {
      try await beginTogether(connections)
      let check = try await connections[0].perform { try AuditCheck($0, expected, parts: 2, progress) }
      let found = try await withThrowingTaskGroup(of: AuditVerifier.Findings.self) { group in
        for (connection, job) in zip(connections, check.jobs) {
          group.addTask { try await connection.perform(steps: nil, job) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      return try await connections[0].perform { try check.conclude(found, $0) }
    } catch let error as SQLiteError {
      throw RouterError(readingLogAt: path, error)
    }
  }

  /// Has several connections see the same snapshot: nobody must have committed between the first and the last.
  private func beginTogether(_ connections: [AuditReaderConnection]) async throws {
    let version: @Sendable (SQLiteConnection) throws -> Int64 = { try $0.integer("PRAGMA data_version") }
    var before = try await read(version)
    while true {
      for connection in connections {
        try await connection.perform { connection in
          try connection.run("BEGIN")
          _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        }
      }
      let after = try await read(version)
      if after == before { return }
      before = after
      for connection in connections { try await connection.perform { try $0.run("ROLLBACK") } }
    }
  }
}
