import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// The replies that clients of a daemon on a failing disk received.
actor DiskTally {
  private(set) var accepted: [PresentationID] = []
  private(set) var refused: Set<String> = []
  private(set) var ended: [PresentationID: PresentationOutcome] = [:]
  /// The outcomes requested by calls that have no reply yet.
  private var inDoubt: [PresentationID: [PresentationOutcome]] = [:]
  private var refusals = 0
  private var count = 0
  private var waiting: [(refusals: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func accept(_ id: PresentationID) {
    accepted.append(id)
    note()
  }

  func refuse(_ title: String) {
    refused.insert(title)
    refusals += 1
    note()
  }

  /// Notes an outcome before the call that requests it.
  func willEnd(_ id: PresentationID, _ outcome: PresentationOutcome) {
    inDoubt[id, default: []].append(outcome)
  }

  /// Notes the reply to a call that requested an outcome.
  func replied(_ status: Int, to id: PresentationID, _ outcome: PresentationOutcome) {
    if let index = inDoubt[id]?.firstIndex(of: outcome) { inDoubt[id]?.remove(at: index) }
    if status == 200 { ended[id] = outcome }
    if status == 503 { refusals += 1 }
    note()
  }

  /// Waits for a number of refusals, or for a number of replies of any kind.
  func next(refusals: Int = .max, orAny count: Int = 2000) async {
    let wanted = refusals == .max ? .max : self.refusals + refusals
    await withCheckedContinuation { waiting.append((wanted, self.count + count, $0)) }
  }

  /// Resumes all waiters, because the load has ended.
  func isOver() {
    for waiter in waiting { waiter.continuation.resume() }
    waiting = []
  }

  private func note() {
    count += 1
    for waiter in waiting where waiter.refusals <= refusals || waiter.count <= count { waiter.continuation.resume() }
    waiting.removeAll { $0.refusals <= refusals || $0.count <= count }
  }

  /// Checks that every reported outcome is recorded, and no refused request is.
  func check(against reader: AuditReader, _ comment: Comment) async throws {
    var onRecord: [PresentationID: Presentation] = [:]
    var query = AuditQuery()
    query.limit = 1000
    repeat {
      let (page, next) = try await reader.presentationPage(query)
      for presentation in page { onRecord[presentation.id] = presentation }
      query.cursor = next
    } while query.cursor != nil
    for id in accepted { #expect(onRecord[id] != nil, comment) }
    for (id, outcome) in ended { #expect(onRecord[id]?.outcome == outcome, comment) }
    for (id, presentation) in onRecord {
      #expect(!refused.contains(presentation.request.title ?? ""), comment)
      // What a remembered answer has ended, CrashRecord compares with the grants.
      guard let outcome = presentation.outcome, presentation.because == nil else { continue }
      #expect(ended[id] == outcome || inDoubt[id, default: []].contains(outcome), comment)
    }
  }

  var summary: String { "\(accepted.count) accepted, \(ended.count) ended, \(refusals) refused" }
}

/// Clients that ask, answer and cancel until the daemon is gone.
struct DiskLoad {
  let daemon: TestDaemon
  let tally: DiskTally
  let seed: UInt64

  private static let surfaces = ["main", "side"]

  func run() async {
    // The presenters only attach; the load answers.
    let presenters = Self.surfaces.map { TestPresenter(daemon.client, on: $0) }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          var random = SplitMix64(seed: seed &+ UInt64(number))
          while await step(&random) {}
        }
      }
    }
    withExtendedLifetime(presenters) {}
    await tally.isOver()
  }

  /// Makes one call. Returns false when the daemon is gone.
  private func step(_ random: inout SplitMix64) async -> Bool {
    do {
      if random.next() % 2 == 0 { try await ask(&random) } else { try await end(&random) }
      return true
    } catch {
      return false
    }
  }

  private func ask(_ random: inout SplitMix64) async throws {
    let title = "\(random.next())"
    let act = random.next() % 3 == 0 ? Act("run", object: "\(random.next() % 3)") : nil
    let reply = try await daemon.ask(title, surface: Self.surfaces[Int(random.next() % 2)], rememberable: act)
    switch reply.status {
    // 200 if a remembered answer has ended it.
    case 200 where act != nil, 202: await tally.accept(try Presentation(json: reply.json).id)
    case 503: await tally.refuse(title)
    default: Issue.record("asking came to \(reply.status): \(String(decoding: reply.body, as: UTF8.self))")
    }
  }

  private func end(_ random: inout SplitMix64) async throws {
    let open = try await daemon.open()
    let (first, second) = (random.next(), random.next())
    guard !open.isEmpty else { return }
    let shown = open.filter { $0.state == .presented }
    let (id, outcome, call): (PresentationID, PresentationOutcome, HTTPCall)
    if first % 4 == 0 || shown.isEmpty {
      id = open[Int(second % UInt64(open.count))].id
      outcome = .cancelled(.requester)
      call = HTTPCall(.DELETE, APIPath.presentation(id))
    } else {
      let presentation = shown[Int(second % UInt64(shown.count))]
      id = presentation.id
      let button = first % 3 == 0 ? "yes" : "no"
      outcome = .answered(.button(button))
      var body: OrderedDictionary<String, JSONValue> = [
        "button": .string(button), "generation": .integer(presentation.generation),
      ]
      if presentation.offer != nil, second % 2 == 0 { body["remember"] = ["for": "session"] }
      call = HTTPCall(.POST, APIPath.presentation(id) + "/answer", body: JSONValue.object(body).bytes)
    }
    await tally.willEnd(id, outcome)
    let reply = try await daemon.http.reply(to: call)
    await tally.replied(reply.status, to: id, outcome)
    // Another call was first, the prompt was shown again, or the disk failed: all are fine.
    if ![200, 404, 409, 503].contains(reply.status) {
      Issue.record("\(call.method) came to \(reply.status): \(String(decoding: reply.body, as: UTF8.self))")
    }
  }
}
