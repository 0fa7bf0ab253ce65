/// What can be set, by its name in the configuration file; `limits.total` stands as `total` in the section `limits`.
enum Setting: String, Sendable, CaseIterable {
  case socket, database, durability, logLevel, shutdownSeconds, graceSeconds
  case perSurface = "limits.perSurface"
  case perUser = "limits.perUser"
  case total = "limits.total"
  case stackDepth = "limits.stackDepth"
  case bodyBytes = "limits.bodyBytes"
  case callbackTries = "callbacks.tries"
  case callbackTimeoutSeconds = "callbacks.timeoutSeconds"
  case callbackAnyUser = "callbacks.anyUser"
  case backoffRefusals = "backoff.refusals"
  case backoffWindowSeconds = "backoff.windowSeconds"
  case backoffFirstSeconds = "backoff.firstSeconds"
  case backoffLongestSeconds = "backoff.longestSeconds"

  /// The names of the file's sections.
  static let sections = Set(allCases.compactMap { $0.path.count > 1 ? $0.path[0] : nil })

  /// The name's parts, the section first.
  var path: [String] { rawValue.split(separator: ".").map(String.init) }
}
