import Router
package import RouterClient
package import RouterCommandLine

/// Tries the escapes of the threat model on the user's set-up.
package enum AttackReport {
  /// - Parameter database: The path of the daemon's database.
  package static func findings(_ client: RouterClient, database: String) async throws -> [Finding] {
    try await client.checkHealth()
    let scene = AttackScene(client: client, database: database)
    var findings: [Finding] = []
    for attack in Attack.all { findings.append(finding(attack, await attack.attempt(scene))) }
    return findings
  }

  static func finding(_ attack: Attack, _ result: Attack.Result) -> Finding {
    switch result {
    case .succeeded(let what):
      .problem("can \(attack.name): \(what). In the threat model: \(attack.attacker.rawValue). Fix: \(attack.remedy)")
    case .failed(let why): .fine("cannot \(attack.name): \(why)")
    case .untried(let why): .fine("did not try to \(attack.name): \(why)")
    }
  }
}
