import Router

/// Which denials go on record: all of them, unless one user's would fill the record. Then one a second, which says how many it
/// stands for.
struct DenialBudget: Sendable {
  static let burst = 100

  private var limit = RateLimit<UInt32>(burst: burst, interval: .seconds(1))
  private var unrecorded: [UInt32: Int] = [:]

  /// Whether a user's denial goes on record.
  ///
  /// - Returns: How many were left out before this one; `nil` if this one is left out too.
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
    if let unrecorded = denials.withLock({ $0.take(for: call.peer.uid, at: PresentationClock.system.now()) }) {
      coordinator.deny(call.peer, what: what, because: reason, on: id, unrecorded: unrecorded)
    }
    return what
  }
}
