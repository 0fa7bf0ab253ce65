import Hummingbird
import Router

/// Lets calls in or not, and puts on record what it does not.
final class AccessControl: Sendable {
  private let coordinator: PresentationCoordinator
  private let configuration: LiveConfiguration
  private let denials = Mutex(DenialBudget())

  init(coordinator: PresentationCoordinator, configuration: LiveConfiguration) {
    self.coordinator = coordinator
    self.configuration = configuration
  }

  /// Lets a call of a route in.
  ///
  /// - Throws: ``RouterError`` with `forbidden` for whoever has none of the route's roles.
  func check(_ rule: AccessRule, _ request: Request, _ context: PeerContext) throws {
    guard case .oneOf(let roles) = rule, !rule.allows(context.roles) else { return }
    let needed = "the role \(roles.map(\.rawValue).joined(separator: " or "))"
    let what = deny(request, context, because: "needs \(needed)")
    throw RouterError(.forbidden, "cannot let uid \(context.peer.uid) do this: \(what) takes \(needed)")
  }

  /// Lets an answer or a dismissal in, both of which say that a person has acted.
  ///
  /// - Throws: ``RouterError`` with `forbidden` where it comes from whoever asked and the configuration forbids that.
  func checkAnswer(to id: PresentationID, _ request: Request, _ context: PeerContext) async throws {
    let rule = configuration.current.forbidSelfAnswer
    guard rule != .off, let requester = await coordinator.requester(of: id)?.process,
      rule.forbids(context.peer, toAnswer: requester)
    else { return }
    deny(request, context, because: "forbidSelfAnswer: \(rule.rawValue)", on: id)
    let who = rule == .user ? "the user" : "the process"
    throw RouterError(.forbidden, "cannot let \(who) that asked also answer: the setting forbidSelfAnswer is \(rule.rawValue)")
  }

  @discardableResult
  private func deny(
    _ request: Request, _ context: PeerContext, because reason: String, on id: PresentationID? = nil
  ) -> String {
    let what = "\(request.method) \(request.uri.path.shortened)"
    if let unrecorded = denials.withLock({ $0.take(for: context.peer.uid, at: .now) }) {
      coordinator.deny(context.peer, what: what, because: reason, on: id, unrecorded: unrecorded)
    }
    return what
  }
}
