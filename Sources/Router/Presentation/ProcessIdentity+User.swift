import Glibc

extension ProcessIdentity {
  /// The name of the process' user on this machine (getpwuid_r(3)); `nil` if there is none of that id.
  public var userName: String? { Self.userName(of: uid) }

  /// The name of a user of this machine; `nil` if there is none of that id.
  public static func userName(of uid: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard getpwuid_r(uid, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else { return nil }
      return entry.pw_name.map { String(cString: $0) }
    }
  }
}
