import Router

/// Checks roles, and records denials.
final class AccessControl: Sendable {
  private let coordinator: PresentationCoordinator
  private let configuration: LiveConfiguration
  private let denials = Mutex(DenialBudget())

  init(coordinator: PresentationCoordinator, configuration: LiveConfiguration) {
    self.coordinator = coordinator
    self.configuration = configuration
  }

  /// Checks that a caller has one of a route's roles.
  ///
  /// - Throws: ``RouterError`` with `forbidden`.
  func check(_ rule: AccessRule, _ call: Call) throws {
    guard case .oneOf(let roles) = rule, !rule.allows(call.roles) else { return }
    let needed = "the role \(roles.map(\.rawValue).joined(separator: " or "))"
    let what = deny(call, because: "needs \(needed)")
    throw RouterError(.forbidden, "cannot let uid \(call.peer.uid) do this: \(what) takes \(needed)")
  }

  /// Checks an answer or a dismissal, both of which say that a person has acted.
  ///
  /// - Throws: ``RouterError`` with `forbidden` where it comes from whoever asked and the configuration forbids that.
  func checkAnswer(to id: PresentationID, _ call: Call, _ coordinator: isolated PresentationCoordinator) throws {
    let rule = configuration.current.forbidSelfAnswer
    guard rule != .off, let requester = coordinator.requester(of: id)?.process,
      rule.forbids(call.peer, toAnswer: requester)
    else { return }
    deny(call, because: "forbidSelfAnswer: \(rule.rawValue)", on: id)
    let who = rule == .user ? "the user" : "the process"
    throw RouterError(.forbidden, "cannot let \(who) that asked also answer: the setting forbidSelfAnswer is \(rule.rawValue)")
  }

  @discardableResult
  private func deny(_ call: Call, because reason: String, on id: PresentationID? = nil) -> String {
    let what = "\(call.request.method) \(call.request.path.shortened)"
    if let unrecorded = denials.withLock({ $0.take(for: call.peer.uid, at: .now) }) {
      coordinator.deny(call.peer, what: what, because: reason, on: id, unrecorded: unrecorded)
    }
    return what
  }
}
