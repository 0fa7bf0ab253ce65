import Glibc

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem

/// Writes a log with a number of events, and the same events in the formats of other tools; see README.md.
@main
struct LogGenerator {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let directory = arguments.first, let count = arguments.last.flatMap({ Int($0) }), count > 0
    else {
      print("usage: LogGenerator DIRECTORY EVENTS")
      exit(64)
    }
    let log = try AuditLog(path: directory + "/router.db", durability: .relaxed)
    var texts = [
      TextFile(directory + "/events.jsonl", JSONLines()), TextFile(directory + "/events.export", JournalExport()),
      TextFile(directory + "/audit.log", AuditdLines()),
    ]
    var story = Story(seed: 42, presentations: count / 4)
    var written = 0
    while let events = story.next(2000) {
      try await log.append(events)
      var presentation: Presentation?
      for (offset, event) in events.enumerated() {
        // The events of a presentation follow one another.
        if event.kind == .requested { presentation = try Presentation(event) } else { try presentation?.apply(event) }
        let json: JSONValue = [
          "seq": .integer(written + offset + 1), "at": .string(event.at.description),
          "type": .string(event.kind.rawValue), "presentation": .optional(event.presentation?.description),
          "detail": try JSONValue(parsing: event.detailText.bytes),
        ]
        for index in texts.indices { texts[index].write(json, of: event, event.kind == .delivered ? nil : presentation) }
      }
      written += events.count
      if isatty(STDERR_FILENO) == 1 {
        let line = "\r\(written) of \(count) events"
        _ = write(STDERR_FILENO, line, line.utf8.count)
      }
    }
    for index in texts.indices { texts[index].close() }
    print("\(written) events")
  }
}

/// Two months of presentations of a service.
struct Story {
  private var random: Random
  private let ids = PresentationIDGenerator()
  private var left: Int
  private var number = 0
  private let step: Int64
  private var clock: Int64 = 1_790_000_000_000

  static let apps = [
    "deploy", "backup", "mail-agent", "calendar", "terraform", "release-bot", "db-admin", "payroll", "vault", "ci", "assistant",
    "support",
  ]
  private static let verbs = [
    "Deploy", "Delete", "Send", "Restart", "Approve", "Merge", "Roll back", "Rotate", "Publish", "Archive",
  ]
  private static let things = [
    "the release", "three records", "the invoice", "this branch", "the service", "all messages", "the certificate",
    "a new index",
    "the nightly build", "access for a guest", "the report", "an old snapshot",
  ]
  private static let places = [
    "production", "staging", "the office", "region eu-1", "region us-2", "the archive", "the mailing list",
  ]

  init(seed: UInt64, presentations: Int) {
    random = Random(state: seed)
    left = presentations
    step = 60 * 86_400_000 / Int64(max(1, presentations))
  }

  /// Returns the events of the next presentations; `nil` at the end.
  mutating func next(_ presentations: Int) -> [Event]? {
    guard left > 0 else { return nil }
    var events: [Event] = []
    for _ in 0..<min(left, presentations) { events += presentation() }
    left -= min(left, presentations)
    return events
  }

  private mutating func presentation() -> [Event] {
    clock += Int64(random.below(UInt64(step) * 2))
    let asked = Timestamp(milliseconds: clock)
    // A few programs make most of the requests.
    let app = Self.apps[Int(min(random.below(12), random.below(12)))]
    let (verb, thing, place) = (random.pick(Self.verbs), random.pick(Self.things), random.pick(Self.places))
    let commit = String(random.below(0xFFF_FFFF) | 0x1000_0000, radix: 16).suffix(7)
    // A rare word to search for.
    let rare = random.below(400_000) == 0 ? " Mind the quokka." : ""
    let request = PresentationRequest(
      kind: .alert, title: "\(verb) \(thing) to \(place)?",
      message: "Commit \(commit), \(random.below(90) + 2) changes since the last time.\(rare)",
      buttons: [
        PresentationRequest.Button(id: "yes", label: verb),
        PresentationRequest.Button(id: "no", label: "Not now", role: .cancel),
      ],
      app: app, surface: random.below(5) == 0 ? "phone" : "main")
    // Users that exist on every Debian and Ubuntu: looking up the name of an unknown one takes as long as a query.
    let process = ProcessIdentity(
      uid: UInt32(1 + random.below(8)), gid: 1, pid: Int32(1000 + random.below(60_000)), executable: "/usr/bin/" + app)
    number += 1
    let id = ids.next(at: asked)
    let requested = Event(
      at: asked, presentation: id,
      .requested(
        Event.Requested(
          asked: Asked(
            requester: Presentation.Requester(app: app, process: process), request: request, at: asked, number: number, key: nil
          ),
          attached: true, place: PresentationPlace(lane: 3, rank: number), level: 0, hasCallback: false)))
    let seen = asked.advanced(by: .milliseconds(Int64(random.below(random.below(20) == 0 ? 60_000 : 900))))
    let end = seen.advanced(by: .milliseconds(Int64(500 + random.below(random.below(8) == 0 ? 300_000 : 20_000))))
    let presenter = AttachedPresenter(name: "terminal", uid: 1, since: asked)
    let resolver = Presentation.Responder(
      process: ProcessIdentity(uid: 1, gid: 1, pid: 77, executable: "/usr/bin/routerctl"), presenter: "terminal")
    return [
      requested,
      Event(
        at: seen, presentation: id,
        .presented(Event.Presented(surface: request.surface, generation: 1, level: 0, presenters: [presenter]))),
      Event(
        at: end, presentation: id,
        .resolved(Event.Resolved(outcome: outcome(), by: resolver, generation: 1, shownFor: end.duration(since: seen)))),
      Event(at: end, presentation: id, .delivered),
    ]
  }

  private mutating func outcome() -> PresentationOutcome {
    switch random.below(100) {
    case ..<70: .answered(.button("yes"))
    case ..<85: .answered(.button("no"))
    case ..<92: .dismissed
    case ..<96: .cancelled(.requester)
    case ..<99: .expired(.presented)
    default: .failed("cannot open the display")
    }
  }
}

/// A random number generator with a fixed seed (Steele and others, 2014).
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: UInt64) -> UInt64 { next() % max(1, bound) }
  mutating func pick(_ texts: [String]) -> String { texts[Int(below(UInt64(texts.count)))] }
}
