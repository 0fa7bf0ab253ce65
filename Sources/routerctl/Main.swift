import ArgumentParser
import Glibc
import Router
import RouterCommandLine
import RouterFrontEnds

@main
enum Main {
  /// Runs the command on this thread: most commands finish before libdispatch would have started its threads.
  static func main() {
    Signals.unblock()
    CallingThread.run {
      if let (program, arguments) = FrontEnds.program(for: CommandLine.keptArguments) { end(await program.run(arguments)) }
      do {
        if var command = Routerctl.plainCommand(CommandLine.arguments) {
          try await command.run()
        } else {
          var command = try Routerctl.command(CommandLine.arguments)
          if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
          } else {
            try command.run()
          }
        }
        end(ExitStatus.answered.rawValue)
      } catch let code as ExitCode {
        // Exits directly: ArgumentParser would look up a dozen conformances before exiting with the same code.
        end(code.rawValue)
      } catch {
        if let help = HelpText(for: error) {
          for line in help.lines(columns: StandardStream.output.columns) { StandardStream.output.line(line) }
          end(ExitStatus.answered.rawValue)
        }
        guard let failure = CommandFailure(diagnosing: error) else {
          let message = Routerctl.fullMessage(for: error)
          // The version was requested.
          if Routerctl.exitCode(for: error) == .success {
            StandardStream.output.line(message)
            end(ExitStatus.answered.rawValue)
          }
          StandardStream.error.line(message.escapedForTerminal(keepsNewlines: true))
          exit(usageStatus)
        }
        let next = failure.message.hasSuffix("is it running?") ? " To start it: routerctl setup, or routerd &" : ""
        StandardStream.error.message("routerctl: \(failure.message.escapedForTerminal())\(next)")
        exit(failure.status.rawValue)
      }
    }
  }

  /// The exit status for an invalid command line. For `run`, a status that its command is unlikely to have.
  private static var usageStatus: Int32 {
    let isRun = CommandLine.arguments.dropFirst().first == Run.configuration.commandName
    return isRun ? RunFailure.Status.failed.rawValue : ExitStatus.usage.rawValue
  }

  /// Exits. If output could not be written, a success becomes a failure.
  private static func end(_ status: Int32) -> Never {
    guard status == 0, let failure = StandardStream.outputFailure else { exit(status) }
    StandardStream.error.message("routerctl: cannot write the output: \(String(cString: strerror(failure)))")
    exit(ExitStatus.defect.rawValue)
  }
}

extension Routerctl {
  /// The command of a line that is read without ArgumentParser; `nil` for any other line.
  fileprivate static func plainCommand(_ arguments: [String]) -> (any AsyncParsableCommand)? {
    if arguments.dropFirst().first == Confirm.configuration.commandName { return Confirm(arguments: arguments.dropFirst(2)) }
    return AgentCommand.hook(arguments)
  }

  /// Parses a command line. A valid one of a command without subcommands spares ArgumentParser the tree of all others.
  fileprivate static func command(_ arguments: [String]) throws -> any ParsableCommand {
    let types = configuration.groupedSubcommands.flatMap(\.subcommands)
    let type = types.first {
      $0.configuration.commandName == arguments.dropFirst().first && $0.configuration.subcommands.isEmpty
    }
    if let command = try? type?.parse(Array(arguments.dropFirst(2))) { return command }
    return try parseAsRoot()
  }
}
