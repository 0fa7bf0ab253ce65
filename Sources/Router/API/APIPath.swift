/// The paths of http-api, shared by the daemon and its clients.
public enum APIPath {
  public static let presentations = "/v1/presentations"
  public static let surfaces = "/v1/surfaces"
  public static let log = "/v1/log"
  public static let status = "/v1/status"
  public static let openAPI = "/openapi.json"
  public static let health = "/healthz"

  public static func presentation(_ id: PresentationID) -> String { "\(presentations)/\(id)" }
  public static func answer(_ id: PresentationID) -> String { "\(presentations)/\(id)/answer" }
  public static func dismiss(_ id: PresentationID) -> String { "\(presentations)/\(id)/dismiss" }
  public static func fail(_ id: PresentationID) -> String { "\(presentations)/\(id)/fail" }
  public static func finish(_ id: PresentationID) -> String { "\(presentations)/\(id)/finish" }
  /// A surface's name has only characters that a path may have; a presenter's name is escaped by the caller.
  public static func stream(surface: String) -> String { "\(surfaces)/\(surface)/stream" }
  public static func log(_ id: PresentationID) -> String { "\(log)/\(id)" }
}
