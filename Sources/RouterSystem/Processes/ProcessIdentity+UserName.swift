public import RouterCore

extension ProcessIdentity {
  /// The name of the process's user on this machine (getpwuid_r(3)); `nil` if unknown. May take as long as a name
  /// service does.
  public var userName: String? { Self.userName(of: uid) }

  /// Returns the name of a user of this machine; `nil` if unknown.
  package static func userName(of uid: UInt32) -> String? { try? AccountNames.entry(of: uid).name }
}
