import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

/// Why a command was not run, with the exit status of `routerctl run`.
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
  /// The status of `routerctl run` if nothing ran: this one plus 110, beside those of most commands.
  var ofRun: Int32 { rawValue + 110 }
}
