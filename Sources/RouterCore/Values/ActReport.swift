/// The result of an approved act, as its requester reports it: the body of `PUT /v1/presentations/{id}/ran`.
package struct ActReport: Sendable, Hashable {
  package enum Result: Sendable, Hashable {
    /// The exit status of the program.
    case status(Int)
    /// The signal that ended the program.
    case signal(Int)
    /// It was tried, and failed for this reason.
    case failed(String)
    /// It was not tried, for this reason.
    case notRun(String)
  }

  /// The digest of the act that was approved.
  package var act: String
  package var result: Result
  package var duration: Duration?

  package init(act: String, _ result: Result, duration: Duration? = nil) {
    (self.act, self.result, self.duration) = (act, result, duration)
  }
}

extension ActReport: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("act", act)
    switch result {
    case .status(let status): writer.add("status", status)
    case .signal(let signal): writer.add("signal", signal)
    case .failed(let reason): writer.add("failed", reason)
    case .notRun(let reason): writer.add("notRun", reason)
    }
    writer.add("duration", ifPresent: duration)
  }

  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    try self.init(&reader)
    try check(at: "")
    try reader.finish()
  }

  init(_ reader: inout JSONObjectReader) throws(JSONError) {
    act = try reader.requiredString("act")
    let results: [Result?] = [
      try reader.count("status").map { .status($0) }, try reader.count("signal").map { .signal($0) },
      try reader.string("failed").map { .failed($0) }, try reader.string("notRun").map { .notRun($0) },
    ]
    let given = results.compactMap(\.self)
    guard given.count == 1 else { throw reader.error("needs one of signal, failed and notRun, or this", at: "status") }
    (result, duration) = (given[0], try reader.seconds("duration"))
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

extension Presentation.Ran: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    report.addMembers(to: &writer)
    writer.add("by", by)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    try self.init(&reader)
    try reader.finish()
  }

  init(_ reader: inout JSONObjectReader) throws(JSONError) {
    report = try ActReport(&reader)
    by = try reader.requiredObject("by", Presentation.Responder.init)
  }
}
