/// The paths of the HTTP API, shared by the daemon and its clients.
package enum APIPath {
  package static let presentations = "/v1/presentations"
  package static let surfaces = "/v1/surfaces"
  package static let log = "/v1/log"
  package static let logEvents = "/v1/log/events"
  package static let logStatistics = "/v1/log/stats"
  package static let logStream = "/v1/log/stream"
  package static let logPrune = "/v1/log/prune"
  package static let grants = "/v1/grants"
  package static let rules = "/v1/rules"
  package static let ruleDecision = "/v1/rules/decision"
  package static let switched = "/v1/switch"
  package static let status = "/v1/status"
  package static let webLink = "/v1/web/link"
  package static let openAPI = "/openapi.json"
  package static let health = "/healthz"

  package static func presentation(_ id: PresentationID) -> String { "\(presentations)/\(id)" }
  package static func pause(_ id: PresentationID) -> String { "\(presentations)/\(id)/pause" }
  package static func prompt(_ id: PresentationID) -> String { "\(presentations)/\(id)/prompt" }
  package static func check(_ id: PresentationID) -> String { "\(presentations)/\(id)/check" }
  package static func progress(_ id: PresentationID) -> String { "\(presentations)/\(id)/progress" }
  package static func ran(_ id: PresentationID) -> String { "\(presentations)/\(id)/ran" }
  /// Returns the path of a surface's event stream. Surface names need no escaping; the caller escapes presenter names.
  package static func stream(surface: String) -> String { "\(surfaces)/\(surface)/stream" }
  package static func grant(_ id: GrantID) -> String { "\(grants)/\(id)" }
  package static func log(_ id: PresentationID) -> String { "\(log)/\(id)" }
}
