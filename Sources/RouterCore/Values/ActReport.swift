/// The result of an approved act, as reported by its requester: the body of `PUT /v1/presentations/{id}/ran`.
package struct ActReport: Sendable, Hashable {
  package enum Result: Sendable, Hashable {
    /// The exit status of the program.
    case status(Int)
    /// The signal that ended the program.
    case signal(Int)
    /// The act started, but failed for this reason.
    case failed(String)
    /// The act did not start, for this reason.
    case notRun(String)
  }

  /// The digest of the approved act.
  package var act: String
  package var result: Result
  package var duration: Duration?

  package init(act: String, _ result: Result, duration: Duration? = nil) {
    (self.act, self.result, self.duration) = (act, result, duration)
  }
}

extension ActReport: Record {
  package static var about: String {
    "The result of an approved act, as reported by its requester: one of status, signal, failed and notRun."
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    act = try f(
      "act", \.act, "The digest of the approved act, as in actDigest.", ["type": "string", "pattern": "^[0-9a-f]{64}$"])
    let results: [Result?] = [
      try f(
        "status", { if case .status(let status) = $0.result { status } else { nil } }, "The exit status of the program.",
        ["type": "integer", "minimum": 0, "maximum": 255]
      )
      .map { .status($0) },
      try f(
        "signal", { if case .signal(let signal) = $0.result { signal } else { nil } }, "The signal that ended the program.",
        ["type": "integer", "minimum": 1, "maximum": 127]
      )
      .map { .signal($0) },
      try f("failed", { if case .failed(let reason) = $0.result { reason } else { nil } }, "Why it failed. At most 4096 bytes.")
        .map { .failed($0) },
      try f(
        "notRun", { if case .notRun(let reason) = $0.result { reason } else { nil } },
        "Why it was not tried. At most 4096 bytes."
      ).map { .notRun($0) },
    ]
    let given = results.compactMap(\.self)
    try f.check(given.count == 1, "needs one of signal, failed and notRun, or this", at: "status")
    result = given.first ?? .status(0)
    duration = try f("duration", \.duration, "How long it ran, in seconds.")
  }

  /// Decodes a requester's report.
  package init(reported json: JSONValue) throws(JSONError) {
    try self.init(json: json)
    try check(at: "")
  }

  /// Checks the numbers and the reason, at the JSON Pointer of the report.
  func check(at pointer: String) throws(JSONError) {
    switch result {
    case .status(0...255), .signal(1...127): break
    case .status: throw JSONError("must be an exit status from 0 to 255", at: pointer + "/status")
    case .signal: throw JSONError("must be a signal from 1 to 127", at: pointer + "/signal")
    case .failed(let reason): try TextRule.comment.check(reason, at: pointer + "/failed")
    case .notRun(let reason): try TextRule.comment.check(reason, at: pointer + "/notRun")
    }
  }
}

extension Presentation {
  /// A recorded report, and the process that sent it.
  package struct Ran: Sendable, Hashable {
    package var report: ActReport
    package var by: Responder

    package init(_ report: ActReport, by: Responder) { (self.report, self.by) = (report, by) }
  }
}

extension Presentation.Ran: Record {
  package static var about: String { "A recorded report, with `by`, the process that sent it." }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    report = try f.inline(\.report)
    by = try f("by", \.by)
  }
}
