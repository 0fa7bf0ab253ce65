/// An HTTP error response: `application/problem+json` (RFC 9457) with `field` and `code` as extension members.
package struct Problem: Sendable, Hashable {
  package var status: Int
  package var title: String
  package var detail: String
  package var field: String?
  /// The machine-readable reason for a status, such as `resolved`, `notPresented`, `covered`, `staleGeneration`, `approved` or
  /// `notAnswered` for 409.
  package var code: String?
  package var outcome: PresentationOutcome?

  package static let contentType = "application/problem+json"

  package init(
    status: Int, title: String, detail: String, field: String? = nil, code: String? = nil,
    outcome: PresentationOutcome? = nil
  ) {
    self.status = status
    self.title = title
    self.detail = detail
    self.field = field
    self.code = code
    self.outcome = outcome
  }
}

extension Problem: Record {
  package static var about: String {
    "An error (RFC 9457)."
  }

  // RFC 9457, section 3.2.
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    _ = try f("type", ifAbsent: "about:blank", { _ in "about:blank" }, "", ["const": "about:blank"])
    title = try f("title", ifAbsent: "", \.title, "The status text.")
    status = try f("status", \.status, "", ["type": "integer", "minimum": 400, "maximum": 599])
    detail = try f("detail", ifAbsent: "", \.detail, "The error message.")
    field = try f("field", \.field, "A JSON Pointer to the invalid field.")
    code = try f("code", \.code, "The case of 409 or 503.", Self.codes)
    outcome = try f("outcome", \.outcome, "The outcome, with the code resolved.")
  }
}

extension Problem {
  private static var codes: JSONValue {
    let codes = RouterError.Code.allCases.filter { RouterError($0, "").hasCode }
    return ["type": "string", "enum": .array(codes.map { .string($0.rawValue) })]
  }
}

extension RouterError {
  /// Whether clients need the code, because the status alone is ambiguous.
  fileprivate var hasCode: Bool { status == 409 || status == 503 }

  package var status: Int {
    switch code {
    case .invalid: 400
    case .forbidden: 403
    case .notFound: 404
    case .resolved, .notPresented, .covered, .staleGeneration, .approved, .notAnswered: 409
    case .impossible: 422
    case .full: 429
    case .logUnavailable, .unavailable, .shuttingDown: 503
    case .notInjected, .unreachable, .database: 500
    }
  }

  /// The error as sent to clients, without its underlying cause.
  package func problem(title: String) -> Problem {
    Problem(
      status: status, title: title, detail: message, field: field, code: hasCode ? code.rawValue : nil, outcome: outcome)
  }

  package init(_ problem: Problem, retryAfter: Duration? = nil) {
    let code: Code =
      problem.code.flatMap(Code.init(rawValue:))
      ?? {
        switch problem.status {
        case 403: .forbidden
        case 404: .notFound
        case 409: .resolved
        case 422: .impossible
        case 429: .full
        case 503: .logUnavailable
        case 400..<500: .invalid
        default: .unreachable
        }
      }()
    self.init(code, problem.detail, field: problem.field, outcome: problem.outcome, retryAfter: retryAfter)
  }
}
