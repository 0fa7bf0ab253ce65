import ArgumentParser
import Router
import RouterCommandLine

struct LogAnchor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anchor",
    abstract: "Write the hash of the newest event to a location that this host cannot change.",
    discussion: """
      `log verify --anchors` then finds a log that was rewritten as a whole, cut off or replaced by an older copy. An anchor is one \
      line of JSON with the event's number and hash, the host and the time, without any texts of prompts. It is also printed.

      TARGETS
        file:PATH  append it to a file, for example on a mount of another host
        exec:CMD   pass it to a shell command, which must exit with 0
        git:DIR    commit it to heads.jsonl of a Git repository, which is created if there is none; --push also pushes
        tsa:URL    have a time-stamping authority (RFC 3161) sign it, with openssl; --keep is the directory for both
      A target proves as much as its owner is trusted: anchor to a location that this host's administrators cannot rewrite. Events
      that are rewritten before their first anchor are not found, so anchor often: router-anchor.timer does so every hour.

      Exits with 69 if a target does not accept it within --timeout; the others still get it, at the same time. If all accept it, it is also recorded in a file beside the database, \
      with '.anchored' after the name. `routerctl doctor` reads this file and warns if the last anchor is older than a day.

      EXAMPLES
        routerctl log anchor --to file:/mnt/elsewhere/heads.jsonl
        routerctl log anchor --to 'exec:ssh logs "cat >> heads.jsonl"' --to git:/srv/anchors --push
        routerctl log anchor --to tsa:http://timestamp.example.org --keep /mnt/elsewhere/stamps
      """)

  @Option(help: ArgumentHelp("Target of the anchor; repeatable.", valueName: "target"))
  var to: [AnchorTarget]

  @Option(help: ArgumentHelp("How long each target may take.", valueName: "time"))
  var timeout = DurationArgument(duration: .seconds(60))

  @Flag(help: "Push the commit of a git: target.")
  var push = false

  @Option(help: ArgumentHelp("Directory of time stamps (default: the database's path and '.stamps').", valueName: "dir"))
  var keep: String?

  @Option(help: ArgumentHelp("Certificates to check time stamps against, in PEM (default: the system's).", valueName: "file"))
  var tsaCA: String?

  @OptionGroup(title: "Location") var location: LogLocation

  func validate() throws {
    if to.isEmpty {
      throw ValidationError("Missing --to: where to write the anchor, for example file:/mnt/elsewhere/heads.jsonl.")
    }
  }

  func run() async throws {
    let reader = try location.openDatabase(to: "anchor the log")
    let anchor = try await reader.anchor(host: hostName, surface: location.shared, at: PresentationClock.system.wall())
    let stamps = TimeStamps(directory: keep ?? location.path + ".stamps", authorities: tsaCA)
    var failures: [String] = []
    try await withThrowingTaskGroup { group in
      for (index, target) in to.enumerated() {
        group.addTask { [push, limit = timeout.duration] in
          (index, await target.write(anchor, stamps: stamps, pushes: push, within: limit))
        }
      }
      var results: [Int: Result<Void, any Error>] = [:]
      for try await (index, result) in group { results[index] = result }
      for (index, target) in to.enumerated() {
        do {
          try results[index]?.get()
        } catch let error as TargetFailure {
          failures.append("cannot anchor the log to \(target): \(error)")
        }
      }
    }
    StandardStream.output.line(anchor.line.escapedForTerminal())
    guard failures.isEmpty else {
      throw CommandFailure(.unreachable, failures.joined(separator: "; "))
    }
    try AnchorRecord(database: location.path).save(anchor)
  }
}
