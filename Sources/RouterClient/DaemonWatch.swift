import Router

/// Reports when something begins to wait for the daemon, and when the daemon is back.
final class DaemonWatch: Sendable {
  private let isAway = Mutex(false)
  private let changed: @Sendable (DaemonChange) -> Void

  init(_ changed: @escaping @Sendable (DaemonChange) -> Void) {
    self.changed = changed
  }

  /// Something waits for the daemon, which was not back at once.
  func isMissed(_ error: RouterError) {
    let isNew = isAway.withLock { isAway in
      defer { isAway = true }
      return !isAway
    }
    if isNew { changed(.lost(error)) }
  }

  /// The daemon has taken a call.
  func isThere() {
    let wasAway = isAway.withLock { isAway in
      defer { isAway = false }
      return isAway
    }
    if wasAway { changed(.back) }
  }
}
