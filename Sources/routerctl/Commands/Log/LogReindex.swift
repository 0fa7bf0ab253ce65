import ArgumentParser
import FoundationEssentials
import Router
import RouterCommandLine

struct LogReindex: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reindex",
    abstract: "Rebuild what queries read from the events.",
    discussion: """
      The events are the log. Rows, search texts and counts follow from them and can be made again, for example if `routerctl log \
      verify` finds that they differ. Stop the daemon first.

      EXAMPLES
        routerctl log reindex
        routerctl log reindex --database copy.db
      """)

  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let path = location.path
    // Fails if the database does not exist, instead of creating it.
    guard FileManager.default.fileExists(atPath: path) else {
      throw RouterError(.notFound, "cannot rebuild the index of \(path): there is no such file")
    }
    guard !AuditLog.isInUse(path: path) else {
      throw CommandFailure(.refused, "cannot rebuild the index of \(path): routerd is using it. Stop the daemon first")
    }
    let progress = ProgressLine("rebuilding")
    defer { progress.finish() }
    let log = try AuditLog(path: path)
    let events = try await AuditReader(log).lastSeq()
    try await log.reindex { progress.update(Double($0) / Double(max(1, events))) }
    await log.close()
    progress.finish()
    StandardStream.output.line("Rebuilt the index from \(String(counting: events, "event")).")
  }
}
