import Logging
import Router

/// The configuration that holds at the moment: a reload changes what can change while the daemon runs.
final class LiveConfiguration: Sendable {
  private let state: Mutex<DaemonConfiguration>

  init(_ configuration: DaemonConfiguration) {
    state = Mutex(configuration)
  }

  var current: DaemonConfiguration { state.withLock(\.self) }

  var logLevel: Logger.Level { state.withLock(\.logLevel) }

  /// What somebody may do now.
  func roles(of peer: Peer) -> Set<Role> { state.withLock(\.access).roles(of: peer) }

  /// Takes over what can change while the daemon runs: who may do what, what connections may cost, how long the log
  /// keeps things, and the log level.
  ///
  /// - Returns: Settings that differ and stay as they were until a restart.
  func reload(_ new: DaemonConfiguration) -> [Setting] {
    state.withLock { state in
      let old = state
      state.access = new.access
      state.forbidSelfAnswer = new.forbidSelfAnswer
      state.connections = new.connections
      state.logLevel = new.logLevel
      state.retentionDays = new.retentionDays
      return Self.fixed.filter { !$0.isSame(old, new) }.map(\.setting)
    }
  }

  private struct Fixed: Sendable {
    let setting: Setting
    let isSame: @Sendable (DaemonConfiguration, DaemonConfiguration) -> Bool

    init(_ setting: Setting, _ value: @escaping @Sendable (DaemonConfiguration) -> some Equatable & SendableMetatype) {
      self.setting = setting
      isSame = { value($0) == value($1) }
    }
  }

  private static let fixed = [
    Fixed(.socket) { $0.socket }, Fixed(.socketMode) { $0.socketMode }, Fixed(.socketGroup) { $0.socketGroup },
    Fixed(.database) { $0.database }, Fixed(.durability) { $0.durability },
    Fixed(.shutdownSeconds) { $0.shutdownSeconds }, Fixed(.perSurface) { $0.limits.perSurface },
    Fixed(.perUser) { $0.limits.perUser }, Fixed(.total) { $0.limits.total },
    Fixed(.stackDepth) { $0.limits.stackDepth }, Fixed(.bodyBytes) { $0.bodyBytes },
    Fixed(.attachmentsPerMinute) { $0.attachments.perMinute },
    Fixed(.graceSeconds) { $0.graceSeconds }, Fixed(.callbackTries) { $0.callbacks.tries },
    Fixed(.callbackTimeoutSeconds) { $0.callbackTimeoutSeconds }, Fixed(.callbackAnyUser) { $0.callsAnyUser },
    Fixed(.backoffRefusals) { $0.backoff?.refusals ?? 0 },
    Fixed(.backoffWindowSeconds) { ($0.backoff ?? .init()).window },
    Fixed(.backoffFirstSeconds) { ($0.backoff ?? .init()).firstPause },
    Fixed(.backoffLongestSeconds) { ($0.backoff ?? .init()).longestPause },
    Fixed(.webAddress) { $0.webAddress }, Fixed(.webSessionSeconds) { $0.webSessionSeconds },
  ]
}
