import Glibc
import Router

/// Users' names by their numbers, each looked up once.
final class UserNames: Sendable {
  private let lookUp: @Sendable (UInt32) -> String?
  /// A few, which are looked through sooner than the runtime could find out how to hash their numbers.
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

  /// The number of a user of this machine; `nil` if there is none of that name.
  static func uid(named name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      let code = getpwnam_r(name, &entry, buffer.baseAddress!, buffer.count, &found)
      return code == 0 && found != nil ? entry.pw_uid : nil
    }
  }
}
