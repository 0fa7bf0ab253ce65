/// The lists of approvers by name, for requests that need several people.
package struct Approvers: Sendable, Hashable {
  /// The users of a list.
  package struct List: Sendable, Hashable {
    package var users: Set<UInt32>
    /// The groups on the list. Includes users by their primary group; other members are in ``users``.
    package var groups: Set<UInt32>

    package init(users: Set<UInt32> = [], groups: Set<UInt32> = []) { (self.users, self.groups) = (users, groups) }

    func includes(_ process: ProcessIdentity) -> Bool { users.contains(process.uid) || groups.contains(process.gid) }
  }

  package var lists: [String: List] = [:]
  /// The users who may answer on this host; `nil` if unknown, as in a program.
  package var everybody: List?

  package init() {}

  /// Checks that all lists of a requirement are known, and that enough people besides the requester are on all of them.
  ///
  /// - Parameter home: This host's name on a shared surface, where people of other hosts also count; otherwise empty.
  func check(
    _ requirement: PresentationRequest.Requirement, for asker: ProcessIdentity, home: String
  ) throws(PresentationRejection) {
    // Members of groups are not counted.
    var candidates = everybody.flatMap { $0.groups.isEmpty ? $0.users : nil }
    for name in requirement.lists {
      guard let list = lists[name] else {
        throw .invalid(JSONError("names a list that the setting approvers does not have: \(name)", at: "/require/from"))
      }
      if list.groups.isEmpty { candidates = candidates?.intersection(list.users) ?? list.users }
    }
    if home.isEmpty, let count = candidates?.subtracting(asker.users).count, count < requirement.answers {
      let lists = requirement.lists.isEmpty ? "" : " and are in \(requirement.lists.joined(separator: " and "))"
      throw .invalid(
        JSONError(
          "must be at most \(count), the number of users besides the requester who may answer here\(lists); "
            + "add users to access.present or approvers in routerd.yaml", at: "/require/answers"))
    }
    if home.isEmpty, requirement.hosts > 1 {
      throw .invalid(JSONError("must be 1: the surface is not shared with other hosts", at: "/require/hosts"))
    }
  }
}

extension Presentation {
  /// Checks that a person may approve a request: once, and neither as the requester, in any role, nor as a user of its
  /// ancestors.
  ///
  /// - Parameter policy: The settings of the person's own host, with its lists. Users of other hosts are checked there.
  package func checkApproval(
    _ answer: PresentationAnswer, by resolver: Responder?, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection) {
    guard let requirement = request.require, requirement.concerns(answer, to: request) else { return }
    guard let resolver else { throw .needsApprover(nil) }
    let process = resolver.process
    if requester.process.isSamePerson(as: process, policy.people) { throw .ownApproval }
    if approvals.contains(where: { $0.by.process.isSamePerson(as: process, policy.people) }) {
      throw .approved(approvals.count, of: requirement.answers)
    }
    guard process.host == policy.home else { return }
    if let name = requirement.lists.first(where: { policy.approvers.lists[$0]?.includes(process) != true }) {
      throw .needsApprover(name)
    }
  }

  /// Whether a presentation may be shown to a user's process. Requests with several approvers are hidden from the requester and
  /// from people who have approved.
  func mayConcern(_ process: ProcessIdentity) -> Bool {
    request.require == nil
      || !requester.process.isSamePerson(as: process) && !approvals.contains { $0.by.process.isSamePerson(as: process) }
  }
}

extension ProcessIdentity {
  /// Whether two processes may belong to the same person: one account, or several by the setting `shared.people`. A person may
  /// act as another user by su or sudo.
  fileprivate func isSamePerson(as other: ProcessIdentity, _ people: People = People()) -> Bool {
    !accounts(of: people).isDisjoint(with: other.accounts(of: people))
  }

  private func accounts(of people: People) -> Set<Owner> {
    Set(users.flatMap { people.accounts(with: Owner(host: host, uid: $0)) })
  }

  /// The users who may control the process: its user, the login user, and the users of its ancestors. Includes root, the parent
  /// of every session, only if the process itself runs as root.
  fileprivate var users: Set<UInt32> {
    let others = [loginUser].compactMap(\.self) + (ancestry ?? []).compactMap(\.uid)
    return Set([uid] + others.filter { $0 != 0 })
  }
}
