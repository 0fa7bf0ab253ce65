import OrderedCollections
import Router

extension RulesFile {
  /// Returns warnings about rules that are valid but probably mistaken, each with its line.
  ///
  /// - Parameter uid: The user of the daemon.
  package func warnings(uid: UInt32) -> [String] {
    rules.rules.enumerated().flatMap { index, rule in
      let hiding = rules.rules[..<index].first { $0.hides(rule) }
      var warnings: [String] = []
      if let hiding {
        warnings.append("is never reached: \(hiding.id) on line \(lines[hiding.id] ?? 0) comes first and matches all of it")
      }
      warnings += impossible(rule) + forgeable(rule)
      warnings += unreadable(rule, uid) + unknown(rule)
      return warnings.map { "\(rules.file):\(lines[rule.id] ?? 0): \(rule.id): \($0)" }
    }
  }

  /// Warns about surfaces that no request can have.
  private func impossible(_ rule: Rule) -> [String] {
    (rule.condition.texts[.surface] ?? []).filter { $0.text.utf8.contains(UInt8(ascii: "/")) }.map {
      "matches no surface: \($0.text) has a /, and no surface's name has one"
    }
  }

  /// Warns about facts that any program could forge. The kernel reports the executable at the time of the check, and a program
  /// may have sent the request before it executed that file.
  private func forgeable(_ rule: Rule) -> [String] {
    guard case .allow = rule.action, rule.condition.texts[.unit] == nil,
      let fact = [RuleCondition.Fact.executable, .ancestor].first(where: { rule.condition.texts[$0] != nil })
    else { return [] }
    return ["\(fact.rawValue) is no proof: any program of the same user can pass for it. Add unit, or allow it for the user"]
  }

  /// Warns about commands with wildcards that the table does not list, so that a person is always asked.
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
