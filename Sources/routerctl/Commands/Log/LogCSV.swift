import Router

/// Comma-separated values (RFC 4180). Prefixes a single quote to cells that a spreadsheet would evaluate as a formula.
enum LogCSV {
  static let header = line([
    "id", "state", "app", "uid", "gid", "pid", "executable", "surface", "kind", "sheet", "title", "message", "requestedAt",
    "presentedAt", "resolvedAt", "outcome", "reason", "answer", "resolvedByUid", "resolvedByPid", "resolvedByExecutable",
    "presenter", "label", "executableDoubt", "resolvedByExecutableDoubt",
    "command", "directory", "session", "calledBy", "comment", "settledBy", "user", "resolvedByUser", "result",
    "resultDetail",
  ])

  static let eventHeader = line(["seq", "at", "type", "presentation", "detail"])

  /// Returns the record of a presentation. Columns of later versions come last.
  static func row(_ presentation: Presentation, _ users: UserNames) -> String {
    let (request, process) = (presentation.request, presentation.requester.process)
    let resolver = presentation.resolvedBy
    let result = presentation.ran?.report.result.fields
    return line([
      presentation.id.description, presentation.state.rawValue, presentation.requester.app, String(process.uid),
      String(process.gid), String(process.pid), process.executable, request.surface, request.kind.rawValue, request.sheet,
      request.title, request.message, presentation.requestedAt.description, presentation.presentedAt?.description,
      presentation.resolvedAt?.description, presentation.outcome?.name.rawValue, reason(of: presentation.outcome),
      answer(of: presentation.outcome), resolver.map { String($0.process.uid) }, resolver.map { String($0.process.pid) },
      resolver?.process.executable, resolver?.presenter, label(presentation),
      process.executableDoubt?.rawValue, resolver?.process.executableDoubt?.rawValue,
      request.act?.text ?? request.attachments.first { $0.kind == .command }?.text, presentation.directory,
      presentation.session, process.callChain,
      presentation.comment, presentation.because?.description, users[process], resolver.map { users[$0.process] },
      result?.name, result?.detail,
    ])
  }

  static func row(_ event: AuditEvent) -> String {
    line([
      String(event.seq), event.at.description, event.kind.rawValue, event.presentation?.description, event.detail.description,
    ])
  }

  /// Returns one record. A missing field is empty.
  static func line(_ fields: [String?]) -> String {
    fields.map { quoted($0 ?? "") }.joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ cell: String) -> String {
    let field = isFormula(cell) ? "'" + cell : cell
    let special = [UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    guard field.utf8.contains(where: special.contains) else { return field }
    return field.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    } + "\""
  }

  /// Whether a spreadsheet would evaluate a cell as a formula. Negative numbers are not formulas.
  private static func isFormula(_ cell: String) -> Bool {
    guard let first = cell.utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return false }
    return first != UInt8(ascii: "-") || !cell.utf8.dropFirst().allSatisfy("0123456789.".utf8.contains)
  }

  /// Returns the button's id, or the value as JSON, with strings unquoted.
  private static func answer(of outcome: PresentationOutcome?) -> String? {
    switch outcome {
    case .answered(.button(let id)): id
    case .answered(.value(let value)): value.string ?? value.description
    case .answered(.redacted): "redacted"
    case .dismissed, .cancelled, .expired, .failed, nil: nil
    }
  }

  /// The label of the pressed button.
  private static func label(_ presentation: Presentation) -> String? {
    guard case .answered(.button(let id)) = presentation.outcome else { return nil }
    return presentation.request.buttons.first { $0.id == id }?.label
  }

  private static func reason(of outcome: PresentationOutcome?) -> String? {
    if case .failed(let detail) = outcome { detail } else { outcome?.reason }
  }
}
