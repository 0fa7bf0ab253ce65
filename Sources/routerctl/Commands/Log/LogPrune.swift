import ArgumentParser
import Router
import RouterClient

struct LogPrune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove old events from the log.",
    discussion: """
      Removes events older than --older-than, and returns the space to the file system. Keeps open prompts: an event carries \
      them over, so that the rest of the log still verifies.

      If routerd is running, it prunes the log for you, which requires the role admin. A shared surface is pruned on the host that \
      leads it. To prune every hour, set `retentionDays` \
      in the daemon's configuration.

      EXAMPLES
        routerctl log prune --older-than 90d
        routerctl log backup old.db && routerctl log prune --older-than 1w
      """)

  @Option(help: ArgumentHelp("Prune events older than this: 90d, 12w; at least 1d.", valueName: "time"), transform: Self.moment)
  var olderThan: Timestamp

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let progress = ProgressLine("pruning")
    defer { progress.finish() }
    let pruning = try await prune(progress)
    progress.finish()
    let out = StandardStream.output
    if output.json { return out.line(pruning.jsonText.escapedForTerminal) }
    out.line(
      pruning.anchor.map { "Pruned \(String(counting: pruning.events, "event")), up to event \($0.seq)." }
        ?? "Nothing was pruned.")
  }

  /// Prunes the database, or lets the daemon prune it if the daemon holds the lock.
  private func prune(_ progress: ProgressLine) async throws -> AuditLog.Pruning {
    if let surface = location.shared { return try await location.client.pruneLog(before: olderThan, surface: surface) }
    let path = location.path
    do {
      // Fails if the database does not exist, instead of creating it.
      _ = try AuditReader(path: path)
      guard !path.contains(".db.shared/") else {
        throw RouterError(.impossible, "cannot prune \(path): it is this host's copy of a shared log. Use --shared")
      }
      guard !AuditLog.isInUse(path: path) else {
        throw RouterError(.forbidden, "cannot prune \(path): routerd is using it")
      }
      let log = try AuditLog(path: path)
      let pruning = try await log.prune(
        before: olderThan, by: Presentation.Responder(process: .current), at: PresentationClock.system.wall())
      try await log.sweep { done, all in progress.update(Double(done) / Double(max(1, all))) }
      return pruning
    } catch let error as RouterError where error.code == .forbidden {
      guard location.database == nil || location.socket != nil else {
        throw RouterError(.forbidden, "\(error.message). Pass --socket to let the daemon prune it")
      }
      return try await location.client.pruneLog(before: olderThan)
    }
  }

  private static func moment(_ text: String) throws -> Timestamp {
    let now = PresentationClock.system.wall()
    guard let moment = LogMoment.parse(text, now: now, zone: .system) else {
      throw ValidationError("Expected one of: \(LogMoment.help).")
    }
    guard moment <= now.advanced(by: .seconds(-86_400)) else {
      throw ValidationError("Expected at least 1d: idempotency keys are kept for a day.")
    }
    return moment
  }
}
