extension ProcessIdentity {
  /// The reason why an executable's path may not name the program that connected.
  package enum ExecutableDoubt: String, Sendable, Hashable, CaseIterable {
    /// The path names another file, or no file, in the daemon's mount namespace.
    case otherNamespace
    /// The file was deleted or replaced after it was executed, for example by an upgrade.
    case deleted
    /// The process executed the file after it connected, or may have: a program with the set-user-ID or set-group-ID bit gives
    /// rights that the process did not have when it connected.
    case later

    /// A description for people.
    package var words: String {
      switch self {
      case .otherNamespace: "in another namespace"
      case .deleted: "deleted or replaced"
      case .later: "perhaps started after connecting"
      }
    }
  }

  /// The path of the executable for display, with the reason if it may not name the program that connected; `nil` if it is
  /// unknown.
  ///
  /// The user of a process can always make another program of theirs send the same bytes: only ``uid`` is proof.
  public var program: String? {
    executable.map { path in executableDoubt.map { "\(path) (\($0.words))" } ?? path }
  }
}
