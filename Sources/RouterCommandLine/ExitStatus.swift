import ArgumentParser
package import Router

/// Exit statuses for scripts.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case answered = 0
  /// Answered with the cancel button ("no"). Only this outcome has this status.
  case declined = 1
  case cancelled = 2
  case dismissed = 3
  case expired = 5
  /// A presenter failed to show it.
  case failed = 6
  /// The daemon refused the call in the current state: no such prompt, not shown, ended, queue full, log not writable.
  case refused = 7
  /// A check found a problem: `doctor`, `agent doctor`, `log verify`, `rules test`.
  case faulty = 8
  case usage = 64
  case unreachable = 69
  /// The system or this program failed.
  case defect = 70
  /// Too many prompts of this user and program were dismissed or denied. The program may ask again later.
  case throttled = 75
  case notAllowed = 77

  /// The exit status of a presentation; success if it is still open.
  package init(_ presentation: Presentation) {
    switch presentation.outcome {
    case .answered(.button(let id)):
      let button = presentation.request.buttons.first { $0.id == id }
      self = button?.role == .cancel ? .declined : .answered
    case .answered(.value), .answered(.redacted), nil: self = .answered
    case .cancelled: self = .cancelled
    case .dismissed where !presentation.request.hasAnswer: self = .answered
    case .dismissed: self = .dismissed
    case .expired: self = .expired
    case .failed: self = .failed
    }
  }

  package init(_ error: RouterError) {
    switch error.code {
    case .invalid, .impossible: self = .usage
    case .forbidden: self = .notAllowed
    case .unreachable, .unavailable, .shuttingDown: self = .unreachable
    case .full where error.retryAfter != nil: self = .throttled
    case .notFound, .resolved, .notPresented, .covered, .staleGeneration, .approved, .notAnswered, .full, .logUnavailable:
      self = .refused
    case .notInjected, .database: self = .defect
    }
  }
}

package struct CommandFailure: Error, Sendable, Hashable {
  package var status: ExitStatus
  package var message: String

  package init(_ status: ExitStatus, _ message: String) { (self.status, self.message) = (status, message) }
}

extension CommandFailure {
  /// The exit status and message of an error; `nil` if ArgumentParser should report it.
  package init?(diagnosing error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as RouterError:
      // The names of errno and SQLite codes do not help people.
      let isPlain = error.code == .unreachable || error.cause is SQLiteError
      self.init(ExitStatus(error), isPlain ? error.message : error.description)
    case is CancellationError: self.init(.cancelled, "interrupted")
    default:
      // ArgumentParser's errors have their own exit codes; any other error is a bug.
      guard !(error is ExitCode), AnyCommand.exitCode(for: error) == .failure else { return nil }
      self.init(.defect, "unexpected error: \(error)")
    }
  }
}

/// A stand-in for any command: ArgumentParser's exit codes do not depend on it.
private struct AnyCommand: ParsableCommand {}
