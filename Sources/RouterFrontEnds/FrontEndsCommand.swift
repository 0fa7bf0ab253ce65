import ArgumentParser
import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// `routerctl frontends`: installs and lists the links that start routerctl as other programs.
package struct FrontEndsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frontends",
    abstract: "Install links that let routerctl replace other programs.",
    discussion: """
      A link with the name of another program, such as zenity, makes routerctl act as that program. Put the directory of the
      links first in PATH to make scripts ask through Router.

      EXAMPLES
        routerctl frontends install
        routerctl frontends install /usr/local/lib/router/compat
        routerctl frontends list
        routerctl frontends uninstall
      """,
    subcommands: [Install.self, Uninstall.self, List.self])

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Create the links, and print the line that adds them to PATH.",
      discussion: "Does not replace files that are not links to routerctl.")

    @Argument(help: "Directory for the links (default: ~/.local/lib/router/compat).")
    var directory: String?

    func run() throws {
      let directory = directory ?? FrontEndsCommand.defaultDirectory
      do {
        try Directories.make(directory, mode: 0o777)
      } catch {
        throw CommandFailure(.defect, "cannot create the links in \(directory): \(error)")
      }
      for link in FrontEndsCommand.links(in: directory) {
        guard case .kept = try link.put(.link(to: RealProgram.own)) else { continue }
        StandardStream.error.line("routerctl: skipped \(link.path.escapedForTerminal()): it is not a link to routerctl")
      }
      StandardStream.output.line("export PATH=\(URL(filePath: directory).path.shellQuoted):\"$PATH\"")
    }
  }

  struct Uninstall: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "uninstall",
      abstract: "Remove the links that 'install' created.", discussion: "Leaves other files, and your PATH, alone.")

    @Argument(help: "Directory of the links (default: ~/.local/lib/router/compat).")
    var directory: String?

    func run() throws {
      let place = directory ?? FrontEndsCommand.defaultDirectory
      var hasRemoved = false
      for link in FrontEndsCommand.links(in: place) where try link.put(nil) == .changed {
        StandardStream.output.line("removed \(link.path.escapedForTerminal())")
        hasRemoved = true
      }
      // Fails if the directory contains other files. The default directory is inside one of Router's own.
      if hasRemoved, rmdir(place) == 0, directory == nil { rmdir(place.parentDirectory) }
    }
  }

  private static var defaultDirectory: String { AgentHost.userHome + "/.local/lib/router/compat" }

  private static func links(in directory: String) -> [InstalledFile] {
    FrontEnds.all.filter { !$0.isForAgents }.flatMap { $0.links }.sorted().map { link(directory + "/" + $0) }
  }

  /// A link to routerctl.
  static func link(_ path: String) -> InstalledFile {
    InstalledFile(path: path) { content in
      let own = "/routerctl".utf8
      return if case .symbolicLink(let target) = content { target.suffix(own.count).elementsEqual(own) } else { false }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the links and their commands.")

    func run() throws {
      var table = Table(heading: ["LINK", "COMMAND"])
      table.rows = FrontEnds.all.filter { !$0.isForAgents }.flatMap { program in
        program.links.map { [$0, "routerctl " + (program.configuration.commandName ?? "")] }
      }
      for line in table.lines(StandardStream.output.style) { StandardStream.output.line(line) }
    }
  }
}

extension [UInt8] {
  /// The bytes quoted as one word of a POSIX shell, or in bash's form with `\xff` if they are not UTF-8.
  var shellQuoted: String {
    if let text = String(validating: self, as: UTF8.self) { return text.shellQuoted }
    let special: [UInt8] = [UInt8(ascii: "'"), UInt8(ascii: #"\"#)]
    return "$'" + String(showing: flatMap { special.contains($0) ? [special[1], $0] : [$0] }) + "'"
  }
}
