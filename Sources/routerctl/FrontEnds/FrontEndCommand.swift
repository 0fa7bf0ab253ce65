import ArgumentParser

/// A command that stands in for another program: it takes that program's command line as it is, and exits with its statuses.
protocol FrontEndCommand: AsyncParsableCommand {
  /// File names under which routerctl acts as this command when it is started through a link.
  static var links: [String] { get }
  var arguments: [String] { get }

  /// Runs the front end. Arguments do not include the program's name.
  ///
  /// - Returns: The exit status.
  static func run(_ arguments: [String]) async -> Int32
}

extension FrontEndCommand {
  func run() async throws {
    if arguments == ["--help"] { throw CleanExit.helpRequest(Self.self) }
    throw ExitCode(await Self.run(arguments))
  }
}

/// The front ends. To add one, add it to ``all``.
enum FrontEnds {
  static let all: [any FrontEndCommand.Type] = [
    Askpass.self, GitCredential.self, Zenity.self, Whiptail.self, Dialog.self, Pinentry.self,
  ]

  /// The front end that a command line starts: by a link's name, as in `zenity --question`, or as the first argument, as in
  /// `routerctl zenity --question`. It is found before ArgumentParser, which would take time and other programs' options.
  static func program(for commandLine: [String]) -> (program: any FrontEndCommand.Type, arguments: [String])? {
    guard let name = commandLine.first?.split(separator: "/").last.map(String.init) else { return nil }
    if let program = all.first(where: { $0.links.contains(name) }) { return (program, Array(commandLine.dropFirst())) }
    let rest = Array(commandLine.dropFirst(2))
    guard commandLine.count > 1, rest != ["--help"],
      let program = all.first(where: { $0.configuration.commandName == commandLine[1] })
    else { return nil }
    return (program, rest)
  }
}
