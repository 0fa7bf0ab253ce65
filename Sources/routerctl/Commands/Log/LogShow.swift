import ArgumentParser
import Router

struct LogShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the timeline of one prompt.",
    discussion: """
      EXAMPLES
        routerctl log show 5f0c1a2b
        routerctl log show 019aa3c4-7b1e-7c55-9f0e-3d215f0c1a2b --json
      """)

  @Argument(help: "Presentation id, or its beginning or end of at least 4 characters.")
  var id: String

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Location") var location: LogLocation

  func validate() throws {
    let isPart = id.utf8.count >= 4 && id.utf8.count <= 36 && id.allSatisfy { $0 == "-" || $0.isHexDigit && $0.isASCII }
    guard isPart else { throw ValidationError("An id has digits from 0 to f and dashes; give at least 4 of its characters.") }
  }

  func run() async throws {
    let source = try location.open()
    let events = try await source.events(of: try await found(in: source))
    let out = StandardStream.output
    if output.json {
      for event in events { out.line(event.json.escapedForTerminal) }
    } else {
      let timeline = LogTimeline(events: events, zone: .system, users: .system, style: out.style)
      for line in timeline.lines { out.line(line) }
    }
  }

  /// Returns the presentation that the argument identifies.
  private func found(in source: any LogSource) async throws -> PresentationID {
    if let id = PresentationID(id) {
      guard try await !source.events(of: id).isEmpty else { throw unknown }
      return id
    }
    let ids = try await source.ids(beginningOrEndingWith: id, limit: 5)
    guard let only = ids.first else { throw unknown }
    guard ids.count == 1 else {
      let some = ids.map(\.description).joined(separator: ", ")
      throw CommandFailure(.failed, "cannot tell which presentation \(id) is: it may be \(some); give more of the id")
    }
    return only
  }

  private var unknown: RouterError { RouterError(.notFound, "cannot find the presentation \(id) in the log") }
}
