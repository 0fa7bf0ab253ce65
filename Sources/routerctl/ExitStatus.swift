import ArgumentParser
import Router

/// The ways out, each its own, for scripts.
enum ExitStatus: Int32, Sendable {
  case answered = 0
  /// Answered with the cancel-role button.
  case declined = 1
  case cancelled = 2
  case dismissed = 3
  case expired = 5
  /// A presenter could not show it, or the daemon would not do what was asked.
  case failed = 6
  case usage = 64
  case unreachable = 69
  case defect = 70
  case notAllowed = 77

  /// The status of a presentation that has ended; of one that has not, success.
  init(_ presentation: Presentation) {
    switch presentation.outcome {
    case .answered(.button(let id)):
      let button = presentation.request.buttons.first { $0.id == id }
      self = button?.role == .cancel ? .declined : .answered
    case .answered(.value), .answered(.redacted), nil: self = .answered
    case .cancelled: self = .cancelled
    case .dismissed: self = .dismissed
    case .expired: self = .expired
    case .failed: self = .failed
    }
  }

  /// The status of an error that the library or the daemon gave.
  init(_ error: RouterError) {
    switch error.code {
    case .invalid, .impossible: self = .usage
    case .forbidden: self = .notAllowed
    case .unreachable, .shuttingDown: self = .unreachable
    case .notFound, .resolved, .notPresented, .covered, .staleGeneration, .notAnswered, .full, .logUnavailable: self = .failed
    case .notInjected, .database: self = .defect
    }
  }
}

/// A command's end with a status and what to say on standard error.
struct CommandFailure: Error, Sendable, Hashable {
  var status: ExitStatus
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

extension CommandFailure {
  /// What a command threw, as its status and message; `nil` for what ArgumentParser says better.
  init?(diagnosing error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as RouterError:
      // Why a socket could not be connected to is said in the message; errno's name adds nothing for a person.
      self.init(ExitStatus(error), error.code == .unreachable ? error.message : error.description)
    case is CancellationError: self.init(.cancelled, "cannot go on: cancelled")
    default:
      // What ArgumentParser throws has a code of its own; anything else is a defect of this program.
      guard !(error is ExitCode), Routerctl.exitCode(for: error) == .failure else { return nil }
      self.init(.defect, "cannot go on: \(error)")
    }
  }
}
