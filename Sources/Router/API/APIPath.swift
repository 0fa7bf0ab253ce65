/// The paths of http-api, shared by the daemon and its clients.
public enum APIPath {
  public static let presentations = "/v1/presentations"
  public static let surfaces = "/v1/surfaces"
  public static let log = "/v1/log"
  public static let logEvents = "/v1/log/events"
  public static let logStatistics = "/v1/log/stats"
  public static let logStream = "/v1/log/stream"
  public static let logPrune = "/v1/log/prune"
  public static let status = "/v1/status"
  public static let webLink = "/v1/web/link"
  public static let openAPI = "/openapi.json"
  public static let health = "/healthz"

  public static func presentation(_ id: PresentationID) -> String { "\(presentations)/\(id)" }
  public static func answer(_ id: PresentationID) -> String { "\(presentations)/\(id)/answer" }
  public static func dismiss(_ id: PresentationID) -> String { "\(presentations)/\(id)/dismiss" }
  public static func fail(_ id: PresentationID) -> String { "\(presentations)/\(id)/fail" }
  public static func prompt(_ id: PresentationID) -> String { "\(presentations)/\(id)/prompt" }
  public static func check(_ id: PresentationID) -> String { "\(presentations)/\(id)/check" }
  public static func finish(_ id: PresentationID) -> String { "\(presentations)/\(id)/finish" }
  /// A surface's name has only characters that a path may have; a presenter's name is escaped by the caller.
  public static func stream(surface: String) -> String { "\(surfaces)/\(surface)/stream" }
  public static func log(_ id: PresentationID) -> String { "\(log)/\(id)" }
}
