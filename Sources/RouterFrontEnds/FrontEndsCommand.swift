import ArgumentParser
import FoundationEssentials
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
      """,
    subcommands: [Install.self, List.self])

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create the links, and print the line that adds them to PATH.",
      discussion: "Does not replace files that are not links to routerctl.")

    @Argument(help: "Directory for the links (default: ~/.local/lib/router/compat).")
    var directory: String?

    func run() throws {
      let home = AgentHost.userHome
      let target = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
      let directory = directory ?? home + "/.local/lib/router/compat"
      let files = FileManager.default
      do {
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for name in FrontEnds.all.flatMap({ $0.links }).sorted() {
          let path = directory + "/" + name
          let old = try? files.destinationOfSymbolicLink(atPath: path)
          if let old, old.hasSuffix("/routerctl") {
            try files.removeItem(atPath: path)
          } else if old != nil || files.fileExists(atPath: path) {
            StandardStream.error.line("routerctl: skipped \(path.escapedForTerminal()): it is not a link to routerctl")
            continue
          }
          try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
      } catch {
        throw CommandFailure(.defect, "cannot create the links in \(directory): \(error)")
      }
      StandardStream.output.line("export PATH=\(URL(filePath: directory).path.shellQuoted):\"$PATH\"")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the links and their commands.")

    func run() throws {
      var table = Table(heading: ["LINK", "COMMAND"])
      table.rows = FrontEnds.all.flatMap { program in
        program.links.map { [$0, "routerctl " + (program.configuration.commandName ?? "")] }
      }
      for line in table.lines(StandardStream.output.style) { StandardStream.output.line(line) }
    }
  }
}

extension String {
  /// The text quoted as one word of a POSIX shell.
  package var shellQuoted: String {
    let isPlain = !isEmpty && utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter || "0123456789/._-+".utf8.contains($0) }
    return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
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
