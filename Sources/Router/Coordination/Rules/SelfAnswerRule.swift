/// Whether the requester of a presentation may also answer or dismiss it.
package enum SelfAnswerRule: String, Sendable, Hashable, CaseIterable {
  /// It may; the record shows it.
  case off
  /// Not the process that asked.
  case process
  /// Not the user that asked.
  case user

  package func forbids(_ presenter: ProcessIdentity, toAnswer requester: ProcessIdentity) -> Bool {
    switch self {
    case .off: false
    case .process: presenter.owner == requester.owner && presenter.pid == requester.pid
    case .user: presenter.owner == requester.owner
    }
  }
}
