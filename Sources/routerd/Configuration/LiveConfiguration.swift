import Logging
import Router

/// The current configuration. A reload applies the settings that can change while the daemon runs.
final class LiveConfiguration: Sendable {
  private let state: Mutex<DaemonConfiguration>

  init(_ configuration: DaemonConfiguration) {
    state = Mutex(configuration)
  }

  var current: DaemonConfiguration { state.withLock(\.self) }

  var logLevel: Logger.Level { state.withLock(\.logLevel) }

  var forbidSelfAnswer: SelfAnswerRule { state.withLock { $0.forbidSelfAnswer } }

  func roles(of peer: Peer) -> Set<Role> { state.withLock { $0.access }.roles(of: peer) }

  /// Applies the settings that can change while the daemon runs. Returns the names of other settings that differ.
  func reload(_ new: DaemonConfiguration) -> [String] {
    state.withLock { state in
      for setting in Setting.all where setting.isLive { setting.copy(new, &state) }
      // Not compared as text, which omits passwords.
      return Setting.all.filter { setting in
        var changed = state
        setting.copy(new, &changed)
        return changed != state
      }.map(\.name)
    }
  }
}
