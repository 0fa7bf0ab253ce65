import FoundationEssentials
import OrderedCollections
import Router

extension RulesFile {
  /// What is allowed in the file and probably not meant, each with its line.
  ///
  /// - Parameter uid: The user of the daemon.
  package func warnings(uid: UInt32) -> [String] {
    rules.rules.enumerated().flatMap { index, rule in
      let hiding = rules.rules[..<index].first { $0.hides(rule) }
      return
        ((hiding.map { ["is never reached: \($0.id) on line \(lines[$0.id] ?? 0) comes first and matches all of it"] } ?? [])
        + replaceable(rule) + unreadable(rule, uid) + unknown(rule)).map {
          "\(rules.file):\(lines[rule.id] ?? 0): \(rule.id): \($0)"
        }
    }
  }

  /// Programs that a rule trusts and that the user whom it serves can replace.
  private func replaceable(_ rule: Rule) -> [String] {
    guard case .allow = rule.action else { return [] }
    let paths = [RuleCondition.Fact.executable, .ancestor].flatMap { rule.condition.texts[$0] ?? [] }.compactMap(\.literal)
    return paths.compactMap { path in
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        let owner = attributes[.ownerAccountID] as? UInt ?? (attributes[.ownerAccountID] as? Int).map(UInt.init),
        owner != 0
      else { return nil }
      return "uid \(owner) can replace \(path.shortened), and then it is another program"
    }
  }

  /// Commands with open arguments that the table does not have, so that a person is always asked.
  private func unknown(_ rule: Rule) -> [String] {
    guard case .allow = rule.action, let arguments = rule.condition.arguments, !arguments.isExact else { return [] }
    return arguments.beginnings.filter { !commands.mayCover($0) }.map { words in
      "never allows \(words.joined(separator: " ").shortened): it is not known to only read. Name all of its arguments, without "
        + "wildcards, or add it to grants.prefixes in routerd.yaml"
    }
  }

  private func unreadable(_ rule: Rule, _ uid: UInt32) -> [String] {
    guard uid != 0, rule.condition.texts[.executable] != nil || rule.condition.texts[.ancestor] != nil,
      let other = rule.condition.users?.first(where: { $0 != uid })
    else { return [] }
    return ["a daemon of uid \(uid) cannot read the executables of uid \(other)'s processes; use unit"]
  }
}
