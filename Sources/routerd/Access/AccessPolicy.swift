import Router

/// The users and groups of each role, by id. Names are resolved once, when the configuration is read.
struct AccessPolicy: Sendable, Hashable {
  struct Grant: Sendable, Hashable {
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []

    /// The daemon's user and root, who have every role by default.
    static let own = Grant(users: [0, ProcessIdentity.current.uid])

    func includes(_ peer: Peer) -> Bool {
      users.contains(peer.process.uid) || !groups.isDisjoint(with: peer.groups)
    }
  }

  private var grants: [Role: Grant]

  init() {
    grants = Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0, Grant.own) })
  }

  subscript(role: Role) -> Grant {
    get { grants[role] ?? Grant() }
    set { grants[role] = newValue }
  }

  /// Returns the roles of a peer. An administrator has all of them.
  func roles(of peer: Peer) -> Set<Role> {
    guard !self[.admin].includes(peer) else { return Role.all }
    return Set(Role.allCases.filter { self[$0].includes(peer) })
  }
}

extension AccessPolicy.Grant: CustomStringConvertible {
  /// Parses a grant of the configuration: `self` for the daemon's user, a user name or uid, or `group:` and a group name or
  /// gid. An empty list grants the role to no one.
  ///
  /// - Throws: ``RouterError`` with the reason, phrased to follow "cannot use the setting …: ".
  init(_ members: [String]) throws {
    for member in members.map({ $0.trimmingWhiteSpace }) {
      guard !member.isEmpty else { throw RouterError(.invalid, "a user or a group has no name") }
      if member == "self" {
        users.insert(ProcessIdentity.current.uid)
      } else if let group = member.rest(after: "group:") {
        groups.insert(try AccountNames.group(String(group)))
      } else {
        users.insert(try AccountNames.user(member))
      }
    }
  }

  var description: String {
    "[\((users.sorted().map(String.init) + groups.sorted().map { "group:\($0)" }).joined(separator: ", "))]"
  }
}
