/// What a caller may do. `Config/routerd.yaml` describes the roles under `access`.
enum Role: String, Sendable, Hashable, CaseIterable {
  /// Ask; see, wait for, take back and finish its own.
  case request
  /// Ask with priority `critical`, which goes before everybody else's.
  case critical
  /// Attach to a surface, see what is open, answer, dismiss, fail.
  case present
  /// Read the log, all of it.
  case audit
  case admin
}

/// Who may call a route. It stands beside the route in ``RouteTable``.
enum AccessRule: Sendable, Hashable {
  case anyone
  /// Whoever has one of these roles; administrators always have.
  case oneOf([Role])

  /// Whether somebody with these roles may.
  func allows(_ roles: Set<Role>) -> Bool {
    switch self {
    case .anyone: true
    case .oneOf(let needed): roles.contains(.admin) || needed.contains(where: roles.contains)
    }
  }
}
