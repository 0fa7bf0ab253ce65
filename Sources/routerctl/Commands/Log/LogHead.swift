import ArgumentParser
import Router

struct LogHead: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "head",
    abstract: "Print the newest event's hash and number, to be kept elsewhere.",
    discussion: """
      Kept where whoever may write the database cannot reach it, it lets `log verify --expect` prove that the log was not \
      written anew.

      EXAMPLES
        routerctl log head | mail -s 'log head' auditor@example.org
        routerctl log head >> /mnt/elsewhere/router.heads
      """)

  @OptionGroup(title: "Where") var location: LogLocation

  func run() async throws {
    StandardStream.output.line(try await location.openDatabase(to: "read the head of the log").head().description)
  }
}
