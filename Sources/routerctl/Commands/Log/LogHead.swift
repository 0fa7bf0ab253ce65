import ArgumentParser
import Router

struct LogHead: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "head",
    abstract: "Print the hash and sequence number of the newest event.",
    discussion: """
      Store the output where nobody who can write the database can change it. `log verify --expect` then proves that the log was \
      not rewritten.

      EXAMPLES
        routerctl log head | mail -s 'log head' auditor@example.org
        routerctl log head >> /mnt/elsewhere/router.heads
      """)

  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    StandardStream.output.line(try await location.openDatabase(to: "read the head of the log").head().description)
  }
}
