import Router

/// Whether whoever asked may also answer (`forbidSelfAnswer`).
enum SelfAnswerRule: String, Sendable, Hashable, CaseIterable {
  /// It may; the record shows it.
  case off
  /// Not the process that asked.
  case process
  /// Not the user that asked.
  case user

  /// Whether it forbids this process to answer what that one asked.
  func forbids(_ presenter: ProcessIdentity, toAnswer requester: ProcessIdentity) -> Bool {
    switch self {
    case .off: false
    case .process: presenter.uid == requester.uid && presenter.pid == requester.pid
    case .user: presenter.uid == requester.uid
    }
  }
}
