import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

/// The reason why a command was not run, with the exit status of `routerctl run`.
struct RunFailure: Error, Sendable, Hashable {
  enum Status: Int32, Sendable {
    case changed = 119
    case failed = 125
    case notExecutable = 126
    case notFound = 127
  }

  var status: Status
  var message: String

  init(_ status: Status, _ message: String) { (self.status, self.message) = (status, message) }
}

extension ExitStatus {
  /// The exit status of `routerctl run` if no command ran: this one plus 110, to differ from those of most commands.
  var ofRun: Int32 { rawValue + 110 }
}
