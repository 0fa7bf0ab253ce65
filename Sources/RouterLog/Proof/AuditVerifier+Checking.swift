import RouterCore

extension AuditVerifier {
  /// Checks the events, and the rows, counts and hours against them. A table that cannot be read is reported as a fault.
  static func verify(
    _ connection: SQLiteConnection, expecting expected: AuditHead?, anchors: [(name: String, head: AuditHead)],
    progress: (Double) -> Void
  ) throws -> AuditVerification {
    try Cryptography.load()
    let schemaFaults = try schemaFaults(connection)
    var (faults, derivedFaults): ([Fault], [Fault]) = ([], [])
    func attempt(_ check: () throws -> Void) throws {
      if let fault = try unreadable(schemaFaults, check) { derivedFaults.append(fault) }
    }
    var (span, walked): (Span?, AuditVerifier?)
    var compared = AuditVerification.Anchors()
    try attempt { span = try Span(connection) }
    if let span {
      try attempt {
        var verifier = try AuditVerifier(connection, span)
        try verifier.walk(progress: progress)
        walked = verifier
      }
      try attempt {
        derivedFaults += try countFaults(connection) + hourFaults(connection, span)
      }
      faults = (walked?.faults ?? []).sorted { $0.seq ?? .max < $1.seq ?? .max }
      if let fault = span.fault { faults.append(fault) }
      if let expected, let fault = try span.fault(expecting: expected, connection) { faults.append(fault) }
      let (found, fault) = try span.compare(anchors, connection)
      compared = found
      if let fault { faults.append(fault) }
      if faults.isEmpty, schemaFaults.isEmpty { faults = try rowFaults(connection, walked?.presentations ?? 0, span) }
    }
    return AuditVerification(
      anchor: span?.prunings.last?.detail.anchor, head: span?.head ?? AuditHead(), events: walked?.events ?? 0,
      presentations: walked?.presentations ?? 0, anchors: compared,
      prunings: (span?.prunings ?? []).filter { $0.seq > max(expected?.seq ?? 0, compared.newest?.seq ?? 0) }.map {
        seq, at, detail in
        .init(
          seq: seq, at: at, anchor: detail.anchor, before: detail.before, events: detail.events, by: detail.by)
      }, faults: faults + schemaFaults + derivedFaults)
  }

  /// Checks the pages of the database and the search index, which takes about as long as the other checks.
  static func indexFaults(_ connection: SQLiteConnection) throws -> [Fault] {
    var faults: [Fault] = []
    let fault = try unreadable(schemaFaults(connection)) {
      faults += try integrityFaults(connection)
      faults += try searchSettingFaults(connection)
      faults += try searchFaults(connection)
    }
    return faults + (fault.map { [$0] } ?? [])
  }

  /// Runs a check. Returns a fault if data is unreadable for a reason other than the disk.
  private static func unreadable(_ schemaFaults: [Fault], _ check: () throws -> Void) throws -> Fault? {
    do {
      try check()
      return nil
    } catch let error as SQLiteError where !error.isInterruption && (!schemaFaults.isEmpty || !error.isStorageFailure) {
      return Fault(what: "the rest cannot be checked: \(error.message.shortened)")
    }
  }
}
