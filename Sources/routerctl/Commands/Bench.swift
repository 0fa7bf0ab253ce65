import ArgumentParser
import Glibc
import Router
import RouterClient

/// `routerctl bench`
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how many presentations the daemon gets through, and how long each takes.",
    discussion: """
      Starts requesters and, for each surface, a presenter that answers at once, over the daemon's own socket and on surfaces \
      that nobody else watches. What it asks is on record like everything else: think of a daemon of its own, with \
      --socket and --database, for long runs.

      A latency runs from a request's first byte to its answer; with --detach, to the word that it is on record.

      EXAMPLES
        routerctl bench
        routerctl bench --requesters 64 --count 100000
        routerctl bench --requesters 64 --surfaces 64 --json | jq .latency.p99
        routerctl bench --detach --unanswered --requesters 64      only accept them, and take them back at the end
      """)

  @Option(help: ArgumentHelp("How many ask at once, each its next when it has its answer.", valueName: "n"))
  var requesters = 1

  @Option(help: ArgumentHelp("How many presentations to measure.", valueName: "n"))
  var count = 10_000

  @Option(help: ArgumentHelp("On how many surfaces; each shows one at a time.", valueName: "n"))
  var surfaces = 1

  @Option(help: ArgumentHelp("How many go before those that are measured; a tenth unless given.", valueName: "n"))
  var warmUp: Int?

  @Flag(help: "Ask detached, and measure how long it takes until a request is on record.")
  var detach = false

  @Flag(help: "With --detach: start no presenters, and take everything back at the end.")
  var unanswered = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    for (name, value, least) in [
      ("--requesters", requesters, 1), ("--count", count, 1), ("--surfaces", surfaces, 1), ("--warm-up", warmUp ?? 0, 0),
    ] where value < least || value > 10_000_000 {
      throw ValidationError("\(name) must be a whole number from \(least) to 10000000")
    }
    if unanswered, !detach { throw ValidationError("--unanswered needs --detach: who is attached waits for an answer") }
  }

  /// What is to be run. Its name has the process' number, so that two runs at once do not answer each other's.
  var plan: LoadPlan {
    LoadPlan(
      requesters: requesters, surfaces: surfaces, count: count, warmUp: warmUp ?? count / 10, isDetached: detach,
      isAnswered: !unanswered, name: "bench-\(getpid())")
  }

  func run() async throws {
    let client = daemon.client()
    // Says that there is no daemon, or no right to ask it, before anything is opened.
    let status = try await client.status()
    let interrupted = Mutex(false)
    let (plan, path) = (plan, client.socketPath)
    let line = ProgressLine("Measuring")
    let result = await Signals.whileHandling {
      interrupted.withLock { $0 = true }
    } perform: {
      await blockingWork {
        Result<LoadReport, any Error> {
          try LoadRun(plan, path: path, isInterrupted: { interrupted.withLock { $0 } }, progress: line.update).run()
        }
      }
    }
    line.finish()
    var report = try result.get()
    report.durability = status["durability"]?.string
    let out = StandardStream.output
    for line in output.json ? [report.json.description] : report.lines(out.style) { out.line(line) }
  }
}
