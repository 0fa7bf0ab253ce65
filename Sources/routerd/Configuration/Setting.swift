/// What can be set, by its name in the configuration file; `limits.total` stands as `total` in the section `limits`.
enum Setting: String, Sendable, CaseIterable {
  case socket, socketMode, socketGroup, database, durability, logLevel, shutdownSeconds, graceSeconds, retentionDays,
    forbidSelfAnswer
  case perSurface = "limits.perSurface"
  case perUser = "limits.perUser"
  case total = "limits.total"
  case stackDepth = "limits.stackDepth"
  case attachmentsPerMinute = "limits.attachmentsPerMinute"
  case bodyBytes = "limits.bodyBytes"
  case callbackTries = "callbacks.tries"
  case callbackTimeoutSeconds = "callbacks.timeoutSeconds"
  case callbackAnyUser = "callbacks.anyUser"
  case backoffRefusals = "backoff.refusals"
  case backoffWindowSeconds = "backoff.windowSeconds"
  case backoffFirstSeconds = "backoff.firstSeconds"
  case backoffLongestSeconds = "backoff.longestSeconds"
  case connectionsTotal = "connections.total"
  case connectionsPerUser = "connections.perUser"
  case headerBytes = "connections.headerBytes"
  case requestSeconds = "connections.requestSeconds"
  case stallSeconds = "connections.stallSeconds"
  case unreadBytes = "connections.unreadBytes"
  case webAddress = "web.address"
  case webSessionSeconds = "web.sessionSeconds"
  case request = "access.request"
  case critical = "access.critical"
  case present = "access.present"
  case audit = "access.audit"
  case admin = "access.admin"

  /// Who has a role.
  init(_ role: Role) {
    switch role {
    case .request: self = .request
    case .critical: self = .critical
    case .present: self = .present
    case .audit: self = .audit
    case .admin: self = .admin
    }
  }

  /// The names of the file's sections.
  static let sections = Set(allCases.compactMap { $0.path.count > 1 ? $0.path[0] : nil })

  /// The name's parts, the section first.
  var path: [String] { rawValue.split(separator: ".").map(String.init) }

  /// Whether it takes a list of values; else it takes one.
  var isList: Bool {
    switch self {
    case .request, .critical, .present, .audit, .admin: true
    default: false
    }
  }
}
