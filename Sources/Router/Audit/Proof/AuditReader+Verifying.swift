extension AuditReader {
  /// The newest event's number and hash.
  public func head() async throws -> AuditHead {
    try await read(AuditVerifier.head)
  }

  /// Walks the whole chain, and compares every presentation with the events that it follows from.
  ///
  /// - Parameters:
  ///   - expected: A head that was kept elsewhere, which must be on the chain.
  ///   - progress: Called now and then with how much of the work is done, from 0 to 1, on threads of its own.
  /// - Throws: ``RouterError`` if the log cannot be read; `CancellationError` if the task is cancelled. A fault is no error:
  ///   it is in what is returned.
  public func verify(
    expecting expected: AuditHead? = nil, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> AuditVerification {
    while true {
      do {
        return try await verifyOnce(expected, progress)
      } catch is AuditVerifier.AnchorMoved {
        // Then it begins anew, with what is left.
      }
    }
  }

  private func verifyOnce(
    _ expected: AuditHead?, _ progress: @escaping @Sendable (Double) -> Void
  ) async throws -> AuditVerification {
    // What is checked stays the same while the log grows: up to the newest event of this moment.
    let connections =
      path == ":memory:" || isSnapshot ? [] : [try AuditReaderConnection(path: path), try AuditReaderConnection(path: path)]
    let span = try await read { try AuditVerifier.Span($0) }
    let meter = ProgressMeter(parts: max(1, connections.count), report: progress)
    var found: [AuditVerifier.Findings] = []
    if connections.isEmpty {
      found = [try await read { try AuditVerifier(connection: $0, span: span).run(part: 0, of: 1, expected, meter) }]
    } else {
      found = try await withThrowingTaskGroup(of: AuditVerifier.Findings.self) { group in
        for (part, owner) in connections.enumerated() {
          group.addTask {
            try await owner.perform { connection in
              try AuditVerifier(connection: connection, span: span).run(part: part, of: connections.count, expected, meter)
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    return AuditVerifier.verification(of: span, found, expected)
  }
}

/// Adds up what parts of a work have done.
final class ProgressMeter: Sendable {
  private let done: Mutex<[Double]>
  private let report: @Sendable (Double) -> Void

  init(parts: Int, report: @escaping @Sendable (Double) -> Void) {
    done = Mutex(Array(repeating: 0, count: parts))
    self.report = report
  }

  func set(_ part: Int, to share: Double) {
    report(
      done.withLock { done in
        done[part] = share
        return done.reduce(0, +) / Double(done.count)
      })
  }
}
