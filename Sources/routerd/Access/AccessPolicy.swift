import Router

/// Who has which role: users and groups by number, for names are looked up once, when the configuration is read.
struct AccessPolicy: Sendable, Hashable {
  struct Grant: Sendable, Hashable {
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []

    /// The daemon's own user and root, who have every role unless the configuration says otherwise.
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

  /// The roles of somebody. An administrator has all of them.
  func roles(of peer: Peer) -> Set<Role> {
    guard !self[.admin].includes(peer) else { return Set(Role.allCases) }
    return Set(Role.allCases.filter { self[$0].includes(peer) })
  }
}

extension AccessPolicy.Grant: CustomStringConvertible {
  /// Reads a grant as the configuration has it: `self`, the daemon's own user; a user's name or number; `group:` and a
  /// group's name or number. Nothing at all is nobody.
  ///
  /// - Throws: ``RouterError`` that says what is wrong, to stand after "cannot use the setting …: ".
  init(_ members: [String]) throws {
    for member in members.map({ $0.trimmingWhiteSpace }) {
      guard !member.isEmpty else { throw RouterError(.invalid, "a user or a group has no name") }
      if member == "self" {
        users.insert(ProcessIdentity.current.uid)
      } else if member.hasPrefix("group:") {
        groups.insert(try AccountNames.group(String(member.dropFirst("group:".count))))
      } else {
        users.insert(try AccountNames.user(member))
      }
    }
  }

  var description: String {
    "[\((users.sorted().map(String.init) + groups.sorted().map { "group:\($0)" }).joined(separator: ", "))]"
  }
}
