/// A role of a caller. `Config/routerd.yaml` describes the roles under `access`.
enum Role: String, Sendable, Hashable, CaseIterable {
  /// Send requests; see, wait for, cancel and finish your own.
  case request
  /// Send requests and wait for their outcome on the same connection. Nothing else.
  case ask
  /// Send requests with priority `critical`, which are shown before all others.
  case critical
  /// Attach to a surface, see open presentations, answer, dismiss and fail them.
  case present
  /// Remember answers, in addition to the role `present`.
  case grant
  /// Read the whole log.
  case audit
  case admin

  static let all = Set(allCases)

  /// Returns the roles of a caller of the socket for asking, who has these roles on the daemon's other socket.
  static func onlyAsking(_ roles: Set<Role>) -> Set<Role> { roles.isDisjoint(with: [.request, .ask]) ? [] : [.ask] }
}

/// The access rule of a route, declared beside it in ``RouteTable``.
enum AccessRule: Sendable, Hashable {
  case anyone
  /// Requires one of these roles; administrators always have access.
  case oneOf([Role])

  /// Whether a caller with these roles has access.
  func allows(_ roles: Set<Role>) -> Bool {
    switch self {
    case .anyone: true
    case .oneOf(let needed): roles.contains(.admin) || needed.contains(where: roles.contains)
    }
  }
}
