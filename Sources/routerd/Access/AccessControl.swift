import Router

/// Limits how many denials are recorded per user, so that no one can fill the log. Over the limit, one per second is recorded,
/// with the number of omitted ones.
struct DenialBudget: Sendable {
  static let burst = 100

  private var limit = RateLimit<UInt32>(burst: burst, interval: .seconds(1))
  private var unrecorded: [UInt32: Int] = [:]

  /// Returns whether to record a user's denial.
  ///
  /// - Returns: The number of denials omitted before this one; `nil` to omit this one as well.
  mutating func take(for uid: UInt32, at now: Duration) -> Int? {
    guard limit.take(for: uid, at: now) == nil else {
      unrecorded[uid, default: 0] += 1
      return nil
    }
    return unrecorded.removeValue(forKey: uid) ?? 0
  }
}

final class AccessControl: Sendable {
  private let coordinator: PresentationCoordinator
  private let denials = Mutex(DenialBudget())

  init(coordinator: PresentationCoordinator) {
    self.coordinator = coordinator
  }

  /// Checks that the caller has one of the roles of a route.
  ///
  /// - Throws: ``RouterError`` with `forbidden`.
  func check(_ rule: AccessRule, _ call: Call) throws {
    guard case .oneOf(let roles) = rule, !rule.allows(call.roles) else { return }
    let needed = "the role \(roles.map(\.rawValue).joined(separator: " or "))"
    let what = deny(call, because: "needs \(needed)")
    throw RouterError(.forbidden, "cannot allow uid \(call.peer.uid): \(what) needs \(needed)")
  }

  /// Records a denial, within the user's ``DenialBudget``.
  ///
  /// - Returns: A description of the denied call.
  @discardableResult
  func deny(_ call: Call, because reason: String, on id: PresentationID? = nil) -> String {
    let what = "\(call.request.method) \(call.request.path.shortened)"
    if let unrecorded = denials.withLock({ $0.take(for: call.peer.uid, at: coordinator.clock.now()) }) {
      coordinator.deny(call.peer, what: what, because: reason, on: id, unrecorded: unrecorded)
    }
    return what
  }
}
