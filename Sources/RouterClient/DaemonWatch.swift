import Router

/// Reports when calls begin to wait for the daemon, and when it is back.
final class DaemonWatch: Sendable {
  private let isAway = Mutex(false)
  private let changed: @Sendable (DaemonChange) -> Void

  init(_ changed: @escaping @Sendable (DaemonChange) -> Void) { self.changed = changed }

  func isMissed(_ error: RouterError) {
    let isNew = isAway.withLock { isAway in
      defer { isAway = true }
      return !isAway
    }
    if isNew { changed(.lost(error)) }
  }

  func isThere() {
    let wasAway = isAway.withLock { isAway in
      defer { isAway = false }
      return isAway
    }
    if wasAway { changed(.back) }
  }
}
