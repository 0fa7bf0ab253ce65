import ArgumentParser
import Router
import RouterCommandLine

struct LogVerify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the log for tampering.",
    discussion: """
      Walks the hash chain, replays the events, and compares every column of every prompt with the result by value. Also \
      checks the schema, the indexes, the search index and the counts behind the statistics. Each fault names the prompt, \
      the column and both values.

      WHAT THE CHAIN PROVES
        Nothing in the log was changed, added, removed or reordered after it was written, unless the chain was rehashed \
      from there on. All output of `routerctl log`, including searches and statistics, follows from the events.
      WHAT ANCHORS PROVE
        Anyone who can write the file can rehash the chain from any event on, cut off its end, replace it with an older \
      copy, or forge the event of a prune that removes its beginning. --anchors checks what `log anchor` wrote \
      elsewhere: everything up to the newest anchor that matches is unchanged since then, if that target is out of \
      their reach. --expect does so for one output of `log head`. A time stamp also proves that the anchor existed at \
      its time, to anyone who trusts the authority. The output lists later prunes, and by whom. Anchors of pruned \
      events cannot be compared, which is a fault only if no other matches; the output says how many do.
      WHAT OTHER HOSTS' COPIES PROVE
        Each host of a shared surface copies its log, and refuses a rewritten one. An intact copy on another host, \
      checked there with --shared and against the same anchors, proves the same of the log here.
      WHAT IS NOT PROVED
        Events after the newest anchor, or rewritten before the first anchor after them. Events that were never written. \
      That events are true.

      Exits with 0 if the log is intact and all anchors match, and with 8 otherwise.

      EXAMPLES
        routerctl log verify
        routerctl log verify --anchors /mnt/elsewhere/heads.jsonl
        routerctl log verify --expect "$(tail -n 1 /mnt/elsewhere/router.heads)"
        routerctl log verify --database copy.db --json
      """)

  @Option(help: ArgumentHelp("Earlier output of `log head`.", valueName: "HASH@SEQ"), transform: Self.head)
  var expect: AuditHead?

  @Option(
    help: ArgumentHelp(
      "Anchors of this log: a file of them, or a directory of such files and time stamps; repeatable.", valueName: "path"),
    completion: .file())
  var anchors: [String] = []

  @Option(help: ArgumentHelp("Certificates to check time stamps against, in PEM (default: the system's).", valueName: "file"))
  var tsaCA: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let files = try anchors.map(AnchorFiles.init(path:))
    let reader = try location.openDatabase(to: "verify the log")
    let progress = ProgressLine("verifying")
    defer { progress.finish() }
    let found = try await reader.verify(expecting: expect, anchors: files.flatMap(\.anchors)) { progress.update($0) }
    let stamps = files.flatMap(\.stamps)
    var faults = found.faults + (try await Self.faults(of: stamps, authorities: tsaCA))
    if !anchors.isEmpty, found.anchors.newest == nil, faults.isEmpty {
      faults.append(.init("no anchor can be compared: the log was pruned beyond the newest"))
    }
    progress.finish()
    let out = StandardStream.output
    if output.json { out.line(json(found, faults, stamps: stamps.count).escapedForTerminal) }
    if let fault = faults.first {
      for line in faults.dropFirst().map(\.text) + prunings(found) { StandardStream.error.line("routerctl: \(line)") }
      throw CommandFailure(.faulty, "log verification failed: \(fault.text)")
    }
    if !output.json { out.line(summary(found, stamps: stamps.count)) }
  }

  private static func faults(
    of stamps: [(stamp: String, data: String)], authorities: String?
  ) async throws -> [AuditVerification.Fault] {
    var faults: [AuditVerification.Fault] = []
    for (stamp, data) in stamps {
      do {
        try await TimeStamps(directory: "", authorities: authorities).check(stamp, of: data)
      } catch let error as TargetFailure {
        let advice = authorities == nil ? "; pass its authority's certificate with --tsa-ca" : ""
        faults.append(.init("the time stamp \(stamp) of \(data) cannot be verified: \(error)\(advice)"))
      }
    }
    return faults
  }

  private func summary(_ found: AuditVerification, stamps: Int) -> String {
    let (events, prompts) = (String(counting: found.events, "event"), String(counting: found.presentations, "prompt"))
    var lines = ["\(events) and \(prompts) are intact."]
    if let expect { lines.append("Event \(expect.seq) matches --expect.") }
    if !anchors.isEmpty { lines.append(summary(found.anchors)) }
    if stamps > 0 { lines.append(stamps == 1 ? "1 time stamp is valid." : "\(stamps) time stamps are valid.") }
    return (lines + prunings(found) + [found.head.description]).joined(separator: "\n")
  }

  private func summary(_ found: AuditVerification.Anchors) -> String {
    let pruned = found.pruned > 0 ? "; \(found.pruned) are of pruned events, not checkable" : ""
    let count = found.matching == 1 ? "1 anchor matches" : "\(found.matching) anchors match"
    return "\(count), up to event \(found.newest?.seq ?? 0)\(pruned)."
  }

  private func prunings(_ found: AuditVerification) -> [String] {
    found.prunings.map { pruning in
      let by = pruning.by.map { UserNames.system[$0.process] } ?? "routerd's retention"
      let since = expect == nil && found.anchors.newest == nil ? "" : " since the newest event that matches"
      return """
        \(pruning.events) events were pruned\(since), up to event \(pruning.anchor.seq) and before \
        \(LocalTime.system.text(pruning.before)): event \(pruning.seq), at \(LocalTime.system.text(pruning.at)), by \(by).
        """
    }
  }

  private func json(_ found: AuditVerification, _ faults: [AuditVerification.Fault], stamps: Int) -> JSONValue {
    [
      "events": .integer(found.events), "presentations": .integer(found.presentations),
      "anchor": .optional(found.anchor?.description), "head": .string(found.head.description),
      "anchors": [
        "matching": .integer(found.anchors.matching), "pruned": .integer(found.anchors.pruned),
        "failing": .integer(found.anchors.failing), "newest": .optional(found.anchors.newest?.description),
        "stamps": .integer(stamps),
      ],
      "prunings": .array(found.prunings.map(\.json)), "faults": .array(faults.map(\.json)),
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
      seq.map { "event \($0)" }, presentation.map { "prompt \($0)" }, column.map { "column \($0)" },
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
