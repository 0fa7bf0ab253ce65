import Router

extension People {
  /// Parses `ada=1000@alpha` and so on: a person's name, a user id and a host. Users are given by id, since another host's user
  /// database is not available.
  ///
  /// - Throws: ``RouterError`` with the reason, phrased to follow "cannot use the setting …: ".
  init(texts: [String]) throws {
    self.init()
    for text in texts {
      let parts = text.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let account = parts.last?.split(at: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) ?? []
      guard parts.count == 2, account.count == 2, let uid = UInt32(account[0]), !account[1].isEmpty else {
        throw RouterError(
          .invalid,
          "\(text) is not a person's name, = and UID@HOST, such as ada=1000@alpha; id -u on the host prints the number")
      }
      do throws(JSONError) {
        for name in [parts[0], account[1]] { try TextRule.checkName(name, at: "") }
      } catch {
        throw RouterError(.invalid, "the names in \(text) \(error.message)")
      }
      guard add(Owner(host: account[1], uid: uid), of: parts[0]) else {
        throw RouterError(.invalid, "\(parts[1]) is listed for two people")
      }
    }
  }

  /// The people as a flow mapping of YAML.
  var yaml: String {
    accounts.sorted { $0.key < $1.key }.map { name, accounts in
      let members = accounts.sorted { ($0.host, $0.uid) < ($1.host, $1.uid) }.map { "\"\($0.uid)@\($0.host)\"" }
      return "\(name): [\(members.joined(separator: ", "))]"
    }.joined(separator: ", ")
  }
}
