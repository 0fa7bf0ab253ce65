import ArgumentParser
import Glibc
import Router

@main
enum Main {
  /// Runs the command on this thread: most commands are over before libdispatch would have started its threads.
  static func main() {
    // A parent may have blocked signals, as libdispatch's threads do. Ctrl-C must end the command all the same.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    CallingThread.run {
      if let (program, arguments) = FrontEnds.program(for: CommandLine.arguments) { exit(await program.run(arguments)) }
      do {
        var command = try Routerctl.parseAsRoot()
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
        exit(ExitStatus.answered.rawValue)
      } catch let code as ExitCode {
        // ArgumentParser looks up a dozen conformances before it leaves with the same code.
        exit(code.rawValue)
      } catch {
        guard let failure = CommandFailure(diagnosing: error) else { Routerctl.exit(withError: error) }
        StandardStream.error.line("routerctl: \(failure.message.escapedForTerminal())")
        exit(failure.status.rawValue)
      }
    }
  }
}
