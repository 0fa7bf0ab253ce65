import ArgumentParser
import Router
import RouterCommandLine

struct LogVerify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the log for tampering.",
    discussion: """
      Walks the hash chain, replays the events, and compares every column of every presentation with the result by value. Also \
      checks the schema, the indexes, the search index and the counts behind the statistics. Each fault names the presentation, \
      the column and both values.

      WHAT IT PROVES
        Nothing in the log was changed, added, removed or reordered after it was written, unless the chain was rehashed from
        there on. All output of `routerctl log`, including searches and statistics, follows from the events.
      WHAT IT CANNOT PROVE
        Anyone who can write the file can rehash the chain from any event on, cut off its end, or forge the event of a prune
        that removes its beginning. Store the output of `log head` where they cannot change it, and pass it to --expect: this
        proves everything up to that event unchanged, and the report lists later prunes, and by whom. A head that was
        itself pruned can be compared only if it is the last event of a prune; otherwise the check fails. The check cannot
        find events that were never written, nor prove that events are true.

      Exits with 0 if the log is intact, and with 8 otherwise.

      EXAMPLES
        routerctl log verify
        routerctl log verify --expect "$(cat /mnt/elsewhere/router.head)"
        routerctl log verify --database copy.db --json
      """)

  @Option(help: ArgumentHelp("Earlier output of `log head`.", valueName: "HASH@SEQ"), transform: Self.head)
  var expect: AuditHead?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let reader = try location.openDatabase(to: "verify the log")
    let progress = ProgressLine("verifying")
    defer { progress.finish() }
    let found = try await reader.verify(expecting: expect) { progress.update($0) }
    progress.finish()
    let out = StandardStream.output
    if output.json { out.line(json(found).escapedForTerminal) }
    if let fault = found.fault {
      for line in found.faults.dropFirst().map(\.text) + prunings(found) { StandardStream.error.line("routerctl: \(line)") }
      throw CommandFailure(.faulty, "log verification failed: \(fault.text)")
    }
    if !output.json { out.line(summary(found)) }
  }

  private func summary(_ found: AuditVerification) -> String {
    var lines = ["\(found.events) events and \(found.presentations) prompts are intact."]
    if let expect { lines.append("Event \(expect.seq) matches --expect.") }
    return (lines + prunings(found) + [found.head.description]).joined(separator: "\n")
  }

  private func prunings(_ found: AuditVerification) -> [String] {
    found.prunings.map { pruning in
      let by = pruning.by.map { UserNames.system[$0.process] } ?? "routerd's retention"
      let since = expect == nil ? "" : " since the expected event"
      return """
        \(pruning.events) events were pruned\(since), up to event \(pruning.anchor.seq) and before \
        \(LocalTime.system.text(pruning.before)): event \(pruning.seq), at \(LocalTime.system.text(pruning.at)), by \(by).
        """
    }
  }

  private func json(_ found: AuditVerification) -> JSONValue {
    [
      "events": .integer(found.events), "presentations": .integer(found.presentations),
      "anchor": .optional(found.anchor?.description), "head": .string(found.head.description),
      "prunings": .array(found.prunings.map(\.json)), "faults": .array(found.faults.map(\.json)),
    ]
  }

  private static func head(_ text: String) throws -> AuditHead {
    guard let head = AuditHead(text) else { throw ValidationError("Expected the output of `routerctl log head`: HASH@SEQ.") }
    return head
  }
}

extension AuditVerification.Fault {
  fileprivate var text: String {
    let place = [
      seq.map { "event \($0)" }, presentation.map { "presentation \($0)" }, column.map { "column \($0)" },
    ].compactMap(\.self).joined(separator: ", ")
    let values = expected.map { " (expected \($0), found \(found ?? "nothing"))" } ?? ""
    return ((place.isEmpty ? "" : place + ": ") + what + values).escapedForTerminal()
  }

  fileprivate var json: JSONValue {
    [
      "seq": seq.map { .integer(Int($0)) } ?? .null, "presentation": .optional(presentation?.description),
      "column": .optional(column), "expected": .optional(expected), "found": .optional(found), "what": .string(what),
    ]
  }
}

extension AuditVerification.Pruning {
  fileprivate var json: JSONValue {
    [
      "seq": .integer(Int(seq)), "at": .string(at.description), "through": .string(anchor.description),
      "before": .string(before.description), "events": .integer(events),
      "by": by.map { by -> JSONValue in
        ["uid": .integer(Int(by.process.uid)), "pid": .integer(Int(by.process.pid)), "presenter": .optional(by.presenter)]
      } ?? .null,
    ]
  }
}
