public import RouterCore

extension ProcessIdentity {
  /// The name of the process's user on this machine (getpwuid_r(3)); `nil` if unknown. May block on a name service.
  public var userName: String? { Self.userName(of: uid) }

  /// Returns the name of a user of this machine; `nil` if unknown.
  package static func userName(of uid: UInt32) -> String? { try? AccountNames.entry(of: uid).name }
}
