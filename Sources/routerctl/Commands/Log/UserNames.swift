import Router

/// Looks up user names by uid and caches them.
final class UserNames: Sendable {
  private let lookUp: @Sendable (UInt32) -> String?
  /// A short array, which is faster to search than a dictionary.
  private let known = Mutex<[(uid: UInt32, name: String)]>([])

  init(lookUp: @escaping @Sendable (UInt32) -> String?) { self.lookUp = lookUp }

  static let system = UserNames(lookUp: ProcessIdentity.userName(of:))

  subscript(uid: UInt32) -> String {
    known.withLock { known in
      if let user = known.first(where: { $0.uid == uid }) { return user.name }
      let name = lookUp(uid)?.escapedForTerminal() ?? String(uid)
      known.append((uid, name))
      return name
    }
  }

  /// Returns the name of a process's user. Users of another host have no names here: `beta:1000`.
  subscript(process: ProcessIdentity) -> String { self[process.uid, on: process.host] }

  subscript(uid: UInt32, on host: String) -> String {
    host.isEmpty ? self[uid] : "\(host.escapedForTerminal()):\(uid)"
  }
}
