/// One run of the tamper check: jobs that can run concurrently in the same snapshot, and their result.
struct AuditCheck: Sendable {
  typealias Job = @Sendable (SQLiteConnection) throws -> AuditVerifier.Findings

  private(set) var jobs: [Job] = []
  private let span: AuditVerifier.Span?
  private let expected: AuditHead?
  private let schemaFaults: [AuditVerification.Fault]

  init(
    _ connection: SQLiteConnection, _ expected: AuditHead?, parts: Int, _ progress: @escaping @Sendable (Double) -> Void
  ) throws {
    let schemaFaults = try AuditVerifier.schemaFaults(connection)
    (self.schemaFaults, self.expected) = (schemaFaults, expected)
    do {
      span = try AuditVerifier.Span(connection)
    } catch let error as SQLiteError where !error.isInterruption && (!schemaFaults.isEmpty || !error.isStorageFailure) {
      span = nil
    }
    guard let span else { return }
    let shares = Mutex([Double](repeating: 0, count: parts))
    for part in 0..<parts {
      add { connection in
        var verifier = try AuditVerifier(connection, span, part: part, of: parts)
        return try verifier.walk { share in
          progress(
            shares.withLock { shares in
              shares[part] = share
              return shares.reduce(0, +) / Double(parts)
            })
        }
      }
    }
    add { connection in
      var found = AuditVerifier.Findings()
      found.derivedFaults =
        try AuditVerifier.countFaults(connection) + AuditVerifier.integrityFaults(connection)
        + AuditVerifier.searchFaults(connection)
      return found
    }
  }

  /// Adds a job that reports a table that cannot be read as a fault.
  private mutating func add(_ job: @escaping Job) {
    jobs.append { [isAltered = !schemaFaults.isEmpty] connection in
      do {
        return try job(connection)
      } catch let error as SQLiteError where !error.isInterruption && (isAltered || !error.isStorageFailure) {
        var found = AuditVerifier.Findings()
        found.derivedFaults = [.init(what: "the rest cannot be checked: \(error.message.shortened)")]
        return found
      }
    }
  }

  func conclude(_ found: [AuditVerifier.Findings], _ connection: SQLiteConnection) throws -> AuditVerification {
    var all = AuditVerifier.Findings()
    for part in found { all.add(part) }
    all.faults.sort { $0.seq ?? .max < $1.seq ?? .max }
    if let span {
      if let fault = span.fault { all.faults.append(fault) }
      if let expected, let fault = try span.fault(expecting: expected, connection) { all.faults.append(fault) }
      if all.faults.isEmpty, schemaFaults.isEmpty {
        all.faults = try AuditVerifier.rowFaults(connection, all, span)
      }
    }
    return AuditVerification(
      anchor: span?.prunings.last?.detail.anchor, head: span?.head ?? AuditHead(),
      events: all.events, presentations: all.presentations,
      prunings: span?.prunings.filter { $0.seq > expected?.seq ?? 0 } ?? [],
      faults: all.faults + schemaFaults + all.derivedFaults)
  }
}

extension AuditVerifier.Findings {
  fileprivate mutating func add(_ other: Self) {
    // Every walk sees all events, and compares its own presentations.
    events = max(events, other.events)
    presentations += other.presentations
    faults += other.faults
    derivedFaults += other.derivedFaults
  }
}
