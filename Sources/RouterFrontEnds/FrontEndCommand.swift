package import ArgumentParser
import Router

/// A command that replaces another program: it accepts that program's command line and uses its exit statuses.
package protocol FrontEndCommand: AsyncParsableCommand {
  /// The file names that select this command when routerctl is started through a link.
  static var links: [String] { get }
  /// Whether only the commands of agents use the links.
  static var isForAgents: Bool { get }
  var arguments: [String] { get }

  /// Runs the front end. Arguments do not include the program's name.
  ///
  /// - Returns: The exit status.
  static func run(_ arguments: [String]) async -> Int32
}

extension FrontEndCommand {
  package static var isForAgents: Bool { false }

  func run() async throws {
    if arguments == ["--help"] { throw CleanExit.helpRequest(Self.self) }
    throw ExitCode(await Self.run(arguments))
  }
}

/// The front ends. To add one, add it to ``all``.
package enum FrontEnds {
  package static let all: [any FrontEndCommand.Type] = [
    Askpass.self, GitCredential.self, Zenity.self, Whiptail.self, Dialog.self, Pinentry.self, Sudo.self,
  ]

  /// Finds the front end for a command line: by link name, as in `zenity --question`, or by first argument, as in `routerctl
  /// zenity --question`. Runs before ArgumentParser, which is slower and would parse the other program's options.
  package static func program(for commandLine: [String]) -> (program: any FrontEndCommand.Type, arguments: [String])? {
    guard let name = commandLine.first?.fileName else { return nil }
    if let program = all.first(where: { $0.links.contains(name) }) { return (program, Array(commandLine.dropFirst())) }
    let rest = Array(commandLine.dropFirst(2))
    guard commandLine.count > 1, rest != ["--help"],
      let program = all.first(where: { $0.configuration.commandName == commandLine[1] })
    else { return nil }
    return (program, rest)
  }
}
