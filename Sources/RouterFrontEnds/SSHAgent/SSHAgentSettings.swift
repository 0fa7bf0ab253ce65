import Router

/// The options of the agent, for all connections.
struct SSHAgentSettings: Sendable {
  /// The maximum number of connections.
  static let maximumConnections = 64

  /// The path of the user's agent.
  var upstream: String
  /// The maximum wait for a reply of the user's agent, which may ask for a PIN or a touch.
  var upstreamTimeout = Duration.seconds(120)
  var surface = "main"
  /// The daemon's socket; `nil` for the default.
  var socket: String?

  /// Prints a warning on standard error.
  static func warn(_ message: String) { FrontEnd.warn("ssh-agent", message) }
}
