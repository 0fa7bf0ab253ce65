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
      let target = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
      let directory = directory ?? FrontEndsCommand.defaultDirectory
      let files = FileManager.default
      do {
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for name in FrontEnds.all.flatMap({ $0.links }).sorted() {
          let path = directory + "/" + name
          if FrontEndsCommand.isOwnLink(path) {
            try files.removeItem(atPath: path)
          } else if (try? files.attributesOfItem(atPath: path)) != nil {
            StandardStream.error.line("routerctl: skipped \(path.escapedForTerminal()): it is not a link to routerctl")
            continue
          }
          try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
      } catch {
        throw CommandFailure(.defect, "cannot create the links in \(directory): \(error.systemReason)")
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
      let directory = directory ?? FrontEndsCommand.defaultDirectory
      let paths = FrontEnds.all.flatMap { $0.links }.sorted().map { directory + "/" + $0 }
      for path in paths where FrontEndsCommand.isOwnLink(path) {
        guard unlink(path) == 0 else {
          throw CommandFailure(.defect, "cannot remove \(path): \(String(cString: strerror(errno)))")
        }
        StandardStream.output.line("removed \(path.escapedForTerminal())")
      }
      // Fails if it has other files.
      rmdir(directory)
    }
  }

  private static var defaultDirectory: String { AgentHost.userHome + "/.local/lib/router/compat" }

  private static func isOwnLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path))?.ends(with: "/routerctl") ?? false
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the links and their commands.")

    func run() throws {
      var table = Table(heading: ["LINK", "COMMAND"])
      table.rows = FrontEnds.all.flatMap { program in
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
