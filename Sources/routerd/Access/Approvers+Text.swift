import Router

extension Approvers {
  /// Parses `ops=ada`, `ops=group:staff` and so on. Groups are resolved in the user database when the configuration is read.
  ///
  /// - Throws: ``RouterError`` with the reason, phrased to follow "cannot use the setting …: ".
  init(texts: [String]) throws {
    self.init()
    for text in texts {
      let parts = text.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[1].isEmpty else {
        throw RouterError(.invalid, "\(text) is not a list's name, = and a user or group:NAME")
      }
      do throws(JSONError) { try TextRule.checkName(parts[0], at: "") } catch {
        throw RouterError(.invalid, "the list's name \(error.message)")
      }
      var list = lists[parts[0]] ?? List()
      let grant = try AccessPolicy.Grant([parts[1]])
      list.users.formUnion(grant.users)
      for group in grant.groups {
        list.groups.insert(group)
        list.users.formUnion(try AccountNames.members(ofGroup: group))
      }
      lists[parts[0]] = list
    }
  }

  /// Creates the lists, including all users who may answer.
  init(_ configuration: DaemonConfiguration) {
    self = configuration.approvers
    let grants = [configuration.access[.present], configuration.access[.admin]]
    everybody = List(
      users: grants.reduce(into: []) { $0.formUnion($1.users) }, groups: grants.reduce(into: []) { $0.formUnion($1.groups) })
  }

  /// The lists as a flow mapping of YAML. Members of groups are users.
  var yaml: String {
    lists.sorted { $0.key < $1.key }.map { name, list in
      let members = list.users.sorted().map(String.init) + list.groups.sorted().map { "group:\($0)" }
      return "\(name): [\(members.joined(separator: ", "))]"
    }.joined(separator: ", ")
  }
}
