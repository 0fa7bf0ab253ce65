import Router

/// Checks roles, and records denials.
final class AccessControl: Sendable {
  private let coordinator: PresentationCoordinator
  private let denials = Mutex(DenialBudget())

  init(coordinator: PresentationCoordinator) {
    self.coordinator = coordinator
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

  /// Records a denial, unless one user's denials would fill the record.
  ///
  /// - Returns: What was denied.
  @discardableResult
  func deny(_ call: Call, because reason: String, on id: PresentationID? = nil) -> String {
    let what = "\(call.request.method) \(call.request.path.shortened)"
    if let unrecorded = denials.withLock({ $0.take(for: call.peer.uid, at: .now) }) {
      coordinator.deny(call.peer, what: what, because: reason, on: id, unrecorded: unrecorded)
    }
    return what
  }
}
