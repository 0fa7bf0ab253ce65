import ArgumentParser
import Router

/// `routerctl log verify`
struct LogVerify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Find out whether anybody changed the log.",
    discussion: """
      Each event carries a SHA-256 of itself and of the event before it. This walks the whole chain, compares every \
      presentation with the events that it follows from, and names the first thing that does not fit.

      WHAT IT PROVES
        That nothing in the log was changed, put in, taken out or put in another order since it was written, unless
        everything after it was written anew; that what `routerctl log` shows is what the events say.
      WHAT IT DOES NOT
        Whoever may write the file can write the chain anew from any event on, or cut off its end. Keep what `log head`
        prints where they cannot reach it, and give it to --expect: then everything up to there is proven to be as it was.
        What was pruned is gone; its anchor proves where the rest begins. What was never written is not missed.

      It exits with 0 if all is well, and with 6 if anything is not.

      EXAMPLES
        routerctl log verify
        routerctl log verify --expect "$(cat /mnt/elsewhere/router.head)"
        routerctl log verify --database copy.db --json
      """)

  @Option(help: ArgumentHelp("What `log head` printed earlier.", valueName: "HASH@SEQ"), transform: Self.head)
  var expect: AuditHead?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Where") var location: LogLocation

  func run() async throws {
    do {
      let reader = try location.openDatabase(to: "verify the log")
      let progress = ProgressLine("verifying")
      defer { progress.finish() }
      let found = try await reader.verify(expecting: expect) { progress.update($0) }
      progress.finish()
      let out = StandardStream.output
      if output.json { out.line(json(found).escapedForTerminal) }
      if let fault = found.fault { throw CommandFailure(.failed, "cannot trust this log: \(fault.text)") }
      if !output.json { out.line(summary(found)) }
    } catch let error as RouterError {
      throw error.inPlainWords
    }
  }

  private func summary(_ found: AuditVerification) -> String {
    var parts = ["\(found.events) events and \(found.presentations) presentations are as they were written"]
    if let anchor = found.anchor { parts.append("the first \(anchor.seq) events were pruned") }
    if let expect { parts.append("event \(expect.seq) is the one that was expected") }
    return parts.joined(separator: "; ") + ".\n\(found.head)"
  }

  private func json(_ found: AuditVerification) -> JSONValue {
    let fault: JSONValue? = found.fault.map { fault in
      [
        "seq": fault.seq.map { .integer(Int($0)) } ?? .null, "presentation": .optional(fault.presentation?.description),
        "what": .string(fault.what),
      ]
    }
    return [
      "events": .integer(found.events), "presentations": .integer(found.presentations),
      "anchor": .optional(found.anchor?.description), "head": .string(found.head.description), "fault": fault ?? .null,
    ]
  }

  private static func head(_ text: String) throws -> AuditHead {
    guard let head = AuditHead(text) else { throw ValidationError("It must be what `routerctl log head` prints: HASH@SEQ.") }
    return head
  }
}

extension AuditVerification.Fault {
  /// The place and what is wrong there.
  fileprivate var text: String {
    if let seq { return "event \(seq): \(what)" }
    return presentation.map { "presentation \($0): \(what)" } ?? what
  }
}
