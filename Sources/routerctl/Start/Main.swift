import ArgumentParser
import Dispatch
import Glibc
import Router
import RouterClient

/// Where the program begins.
@main
enum Main {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    // Whoever has started this may have blocked signals, as a thread of libdispatch has: Ctrl-C is to end a command all the same.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    CallingThread.run {
      guard var command = PlainCommands.command(of: words) else { return }
      await end { try await command.run() }
    }
    // Ends with the program.
    Task.detached {
      await end {
        var command = try Routerctl.parseAsRoot()
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      }
    }
    dispatchMain()
  }

  /// Runs a command, and leaves with its status.
  private static func end(_ run: () async throws -> Void) async -> Never {
    do {
      try await run()
      exit(ExitStatus.answered.rawValue)
    } catch let code as ExitCode {
      // ArgumentParser would look up a dozen conformances before it leaves with the same code.
      exit(code.rawValue)
    } catch {
      guard let failure = CommandFailure(diagnosing: error) else { Routerctl.exit(withError: error) }
      StandardStream.error.line("routerctl: \(failure.message.escapedForTerminal())")
      exit(failure.status.rawValue)
    }
  }
}
