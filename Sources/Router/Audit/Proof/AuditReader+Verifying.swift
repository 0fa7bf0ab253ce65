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
    let parts = max(1, connections.count)
    let meter = ProgressMeter(parts: parts, report: progress)
    /// Runs a body for each part, at the same time where there are connections.
    func inParts<Found: Sendable>(_ body: @escaping @Sendable (AuditVerifier) throws -> Found) async throws -> [Found] {
      guard !connections.isEmpty else {
        return [try await read { try body(AuditVerifier(connection: $0, span: span, part: 0, parts: 1)) }]
      }
      return try await withThrowingTaskGroup(of: Found.self) { group in
        for (part, owner) in connections.enumerated() {
          group.addTask {
            try await owner.perform { try body(AuditVerifier(connection: $0, span: span, part: part, parts: parts)) }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    let key = RowSums.Key()
    let found = try await inParts { try $0.walk(expected, key, meter) }
    var fault: AuditVerification.Fault?
    if found.allSatisfy({ $0.fault == nil }) {
      var (said, rows) = (RowSums(key: key), RowSums(key: key))
      for part in found {
        said.add(part.said)
        rows.add(part.rows)
      }
      let buckets = said.differences(from: rows)
      if !buckets.isEmpty {
        let compared = try await inParts { try $0.compare(rowsIn: buckets) }
        fault = compared.compactMap(\.fault).first
        if fault == nil, buckets.reduce(0, { $0 + said.requests[$1] }) != compared.reduce(0, { $0 + $1.requested }) {
          fault = AuditVerification.Fault(
            seq: nil, presentation: nil, what: "rows are missing from the table presentations, or there are too many")
        }
      }
    }
    return AuditVerifier.verification(of: span, found, expected, rows: fault)
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
