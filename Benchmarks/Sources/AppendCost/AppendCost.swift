import FoundationEssentials
import Glibc

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem

/// Measures recording with the hash chain, indexes, search words and counts, compared with a bare writer of the same rows; see
/// README.md.
@main
struct AppendCost {
  static let callers = 64
  static let appends = 400
  static let rounds = 7

  static func main() async throws {
    guard let place = CommandLine.arguments.dropFirst().first else {
      print("usage: AppendCost DIRECTORY")
      exit(64)
    }
    let directory = "\(place)/append-cost-\(getpid())"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var (bare, whole): ([Double], [Double]) = ([], [])
    for round in 0..<rounds {
      // Side by side in each round, so that other load on the machine affects both.
      let plain = try BareLog(path: "\(directory)/bare\(round).db")
      bare.append(try await measure { try await plain.append($0) })
      let log = try AuditLog(path: "\(directory)/whole\(round).db")
      whole.append(try await measure { try await log.append($0) })
    }
    let (first, second) = (median(bare), median(whole))
    print("presentations a second, \(callers) callers, synchronous=FULL, medians of \(rounds) rounds")
    print("bare \(Int(first))\nwith chain, indexes, words and counts \(Int(second))\ntimes as long \(rounded(first / second))")
  }

  /// Returns presentations per second. Each caller records a request, a showing and an outcome, and waits for each.
  private static func measure(_ append: @escaping @Sendable ([Event]) async throws -> Void) async throws -> Double {
    // Creating the entries is not measured. Callers take turns, so ids are in the order of recording.
    let sources = (0..<callers).map(Samples.init)
    var samples = sources.map { _ in [Event]() }
    for round in 0..<appends {
      for (index, source) in sources.enumerated() { samples[index] += source.next(number: round * callers + index + 1) }
    }
    let clock = ContinuousClock()
    let time = try await clock.measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for entries in samples {
          group.addTask {
            for entry in entries { try await append([entry]) }
          }
        }
        try await group.waitForAll()
      }
    }
    return Double(callers * appends) / (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

/// The events of one caller, on its own surface.
struct Samples {
  let caller: Int
  private let ids = PresentationIDGenerator()

  init(caller: Int) {
    self.caller = caller
  }

  func next(number: Int) -> [Event] {
    let now = PresentationClock.system.wall()
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/deploy")
    let request = PresentationRequest(
      kind: .alert, title: "Deploy release \(UInt32.random(in: 0...UInt32.max)) to production?",
      message: "42 commits since the last release.",
      buttons: [
        PresentationRequest.Button(id: "yes", label: "Deploy", role: .destructive),
        PresentationRequest.Button(id: "no", label: "Not now", role: .cancel),
      ],
      app: "deploy\(caller % 8)", surface: "s\(caller)")
    let asked = Asked(
      requester: Presentation.Requester(app: "deploy\(caller % 8)", process: process), request: request, at: now,
      number: number, key: nil)
    let id = ids.next(at: now)
    let requested = Event(
      at: now, presentation: id,
      .requested(
        Event.Requested(
          asked: asked, attached: true, place: PresentationPlace(lane: 3, rank: number), level: 0, hasCallback: false)))
    let later: [Event.Detail] = [
      .presented(Event.Presented(surface: request.surface, generation: 1, level: 0, presenters: [])),
      .resolved(Event.Resolved(outcome: .answered(.button("yes")), generation: 1, shownFor: .zero)),
    ]
    return [requested] + later.map { Event(at: now, presentation: id, $0) }
  }
}
