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

  func roles(of peer: Peer) -> Set<Role> { state.withLock(\.access).roles(of: peer) }

  /// Takes over the settings that can change while the daemon runs, and returns the names of the others that differ.
  func reload(_ new: DaemonConfiguration) -> [String] {
    state.withLock { state in
      for setting in Setting.all where setting.isLive { setting.copy(new, &state) }
      return Setting.all.filter { $0.write(state) != $0.write(new) }.map(\.name)
    }
  }
}
