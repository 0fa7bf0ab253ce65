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
    let span = try await read { try AuditVerifier.Span($0) }
    let parts = try VerifiedParts(self, span)
    let meter = ProgressMeter(parts: parts.count, report: progress)
    let key = RowSums.Key()
    let found = try await parts.map { try $0.walk(expected, key, meter) }
    var rows: AuditVerification.Fault?
    if found.allSatisfy({ $0.fault == nil }) {
      let (said, read) = found.reduce(into: (RowSums(key: key), RowSums(key: key))) { sums, part in
        sums.0.add(part.said)
        sums.1.add(part.rows)
      }
      let buckets = said.differences(from: read)
      if !buckets.isEmpty {
        rows = AuditVerifier.fault(
          in: try await parts.map { try $0.compare(rowsIn: buckets) }, requests: said.requests(in: buckets))
      }
    }
    return AuditVerifier.verification(of: span, found, expected, rows: rows)
  }
}

/// The parts of a log, each with a connection of its own, so that they are verified at the same time. A log in memory and a
/// snapshot have one connection, and are one part.
private struct VerifiedParts {
  private let reader: AuditReader
  private let span: AuditVerifier.Span
  private let connections: [AuditReaderConnection]

  init(_ reader: AuditReader, _ span: AuditVerifier.Span) throws {
    self.reader = reader
    self.span = span
    let isOnePart = reader.memory != nil || reader.isSnapshot
    connections = isOnePart ? [] : [try AuditReaderConnection(path: reader.path), try AuditReaderConnection(path: reader.path)]
  }

  var count: Int { max(1, connections.count) }

  /// What a body says of each part, in any order.
  func map<Found: Sendable>(_ body: @escaping @Sendable (AuditVerifier) throws -> Found) async throws -> [Found] {
    guard !connections.isEmpty else {
      return [try await reader.read { [span] in try body(AuditVerifier(connection: $0, span: span, part: 0, parts: 1)) }]
    }
    return try await withThrowingTaskGroup(of: Found.self) { [span, count] group in
      for (part, connection) in connections.enumerated() {
        group.addTask {
          try await connection.perform {
            try body(AuditVerifier(connection: $0, span: span, part: part, parts: count))
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
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
