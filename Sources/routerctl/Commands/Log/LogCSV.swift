import Router

/// Comma-separated values, as RFC 4180 has them: a header, lines that end with CR LF, quotes where they are needed.
enum LogCSV {
  static let header = line([
    "id", "state", "app", "uid", "gid", "pid", "executable", "surface", "kind", "sheet", "title", "message", "requestedAt",
    "presentedAt", "resolvedAt", "outcome", "reason", "answer", "resolvedByUid", "resolvedByPid", "resolvedByExecutable",
    "presenter",
  ])

  static let eventHeader = line(["seq", "at", "type", "presentation", "detail"])

  static func row(_ presentation: Presentation) -> String {
    let (request, process) = (presentation.request, presentation.requester.process)
    let resolver = presentation.resolvedBy
    return line([
      presentation.id.description, presentation.state.rawValue, presentation.requester.app, String(process.uid),
      String(process.gid), String(process.pid), process.executable, request.surface, request.kind.rawValue, request.sheet,
      request.title, request.message, presentation.requestedAt.description, presentation.presentedAt?.description,
      presentation.resolvedAt?.description, presentation.outcome?.name.rawValue, reason(of: presentation.outcome),
      answer(of: presentation.outcome), resolver.map { String($0.process.uid) }, resolver.map { String($0.process.pid) },
      resolver?.process.executable, resolver?.presenter,
    ])
  }

  static func row(_ event: AuditEvent) -> String {
    line([
      String(event.seq), event.at.description, event.kind.rawValue, event.presentation?.description, event.detail.description,
    ])
  }

  /// One record. A field that is absent is empty.
  static func line(_ fields: [String?]) -> String {
    fields.map { quoted($0 ?? "") }.joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    let special = [UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    guard field.utf8.contains(where: special.contains) else { return field }
    return field.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    } + "\""
  }

  /// The button's id, or the value as JSON; a value that is text is the text.
  private static func answer(of outcome: PresentationOutcome?) -> String? {
    switch outcome {
    case .answered(.button(let id)): id
    case .answered(.value(let value)): value.string ?? value.description
    case .answered(.redacted): "redacted"
    case .dismissed, .cancelled, .expired, .failed, nil: nil
    }
  }

  private static func reason(of outcome: PresentationOutcome?) -> String? {
    if case .failed(let detail) = outcome { detail } else { outcome?.reason }
  }
}
