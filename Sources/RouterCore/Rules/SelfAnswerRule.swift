/// Whether requesters may answer or dismiss their own presentations.
package enum SelfAnswerRule: String, Sendable, Hashable, CaseIterable {
  /// Allowed, and visible in the log.
  case off
  /// Forbidden for the requesting process.
  case process
  /// Forbidden for the requesting user.
  case user

  package func forbids(_ presenter: ProcessIdentity, toAnswer requester: ProcessIdentity) -> Bool {
    switch self {
    case .off: false
    case .process: presenter.owner == requester.owner && presenter.pid == requester.pid
    case .user: presenter.owner == requester.owner
    }
  }
}
