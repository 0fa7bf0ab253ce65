import Foundation
import Testing

@testable import Router
@testable import RouterLog

/// The record that a stopped daemon left.
struct CrashRecord {
  private let events: [AuditEvent]
  private let presentations: [PresentationID: Presentation]
  /// The detached presentations that the next daemon must reopen, in order.
  let toBeRebuilt: [PresentationID]
  /// The number of events that had no rows when the daemon stopped.
  let unindexed: Int

  init(database: String) async throws {
    let left = try SQLiteConnection(path: database, mode: .readOnly)
    unindexed = Int(try AuditHead(left).seq - (try AuditProjector.cursor(left)))
    left.close()
    // Completes the rows.
    let reader = try AuditReader(path: database)
    var events: [AuditEvent] = []
    while true {
      let page = try await reader.events(after: events.last?.seq ?? 0)
      if page.isEmpty { break }
      events += page
    }
    self.events = events
    var presentations: [PresentationID: Presentation] = [:]
    var query = AuditQuery()
    query.limit = 1000
    repeat {
      let (page, next) = try await reader.presentationPage(query)
      for presentation in page { presentations[presentation.id] = presentation }
      query.cursor = next
    } while query.cursor != nil
    self.presentations = presentations
    // Sorted by surface; the shown presentation comes first, the others keep their places.
    let open = try await reader.open().filter { !$0.attached }
    toBeRebuilt = open.sorted { left, right in
      func key(_ open: Presentation) -> (String, Int, PresentationPlace) {
        (open.request.surface, open.state == .presented ? 0 : 1, open.place)
      }
      return key(left) < key(right)
    }.map(\.id)
    try checkChain(in: database)
  }

  func check(_ tally: CrashTally, round: Int) async throws {
    let (accepted, answered, heard) = await (tally.accepted, tally.answered, tally.heard)
    #expect(events.map(\.seq) == Array(1...Int64(events.count)), "round \(round): the events have gaps")
    // No accepted request is lost, and every reported outcome is recorded.
    for id in accepted { #expect(presentations[id] != nil, "round \(round): \(id) was accepted and is lost") }
    for (id, buttons) in answered {
      #expect(buttons.count == 1, "round \(round): \(id) was answered \(buttons.count) times")
      #expect(presentations[id]?.outcome == .answered(.button(buttons[0])), "round \(round): \(id)")
    }
    for (id, outcome) in heard { #expect(presentations[id]?.outcome == outcome, "round \(round): \(id)") }
    try checkEnds(round)
    try checkShowings(round)
    try checkGrants(round)
    let given = Set(events.filter { $0.kind == .granted }.compactMap(\.presentation))
    #expect(given.isSuperset(of: await tally.remembered), "round \(round): a remembered answer is lost")
    let ended = Set(events.filter { $0.kind == .revoked }.compactMap { $0.detail["grant"]?.string })
    #expect(ended.isSuperset(of: await tally.revoked.map(\.description)), "round \(round): a revocation is lost")
  }

  /// Checks that whatever a grant settled, a grant in force did, which was on record before. A presentation is never shown then,
  /// unless it was before and waits again.
  private func checkGrants(_ round: Int) throws {
    var inForce: [String: AuditEvent] = [:]
    for event in events {
      switch event.kind {
      case .granted: inForce[event.detail["grant"]?.string ?? ""] = event
      case .revoked: inForce[event.detail["grant"]?.string ?? ""] = nil
      case .answered:
        guard let because = event.detail["because"]?["grant"]?.string else { continue }
        let grant = try #require(inForce[because], "round \(round): event \(event.seq), settled by what is not in force")
        #expect(grant.detail["button"] == event.detail["outcome"]?["button"], "round \(round): event \(event.seq)")
        #expect(event.detail["generation"] == nil, "round \(round): event \(event.seq)")
      default: break
      }
    }
  }

  /// Checks that each presentation was requested once, and has ended once or is open.
  private func checkEnds(_ round: Int) throws {
    var requested: [PresentationID: Int] = [:]
    var ended: [PresentationID: Int] = [:]
    for event in events {
      guard let id = event.presentation else { continue }
      switch event.kind {
      case .requested: requested[id, default: 0] += 1
      case .answered, .dismissed, .cancelled, .expired, .failed: ended[id, default: 0] += 1
      default: break
      }
    }
    #expect(Set(requested.keys) == Set(presentations.keys), "round \(round), \(unindexed) events without rows")
    #expect(requested.values.allSatisfy { $0 == 1 }, "round \(round): something was asked for twice")
    for (id, presentation) in presentations {
      #expect(ended[id, default: 0] == (presentation.state == .resolved ? 1 : 0), "round \(round): \(id)")
    }
  }

  /// Checks that each surface shows one presentation at a time, first showings in the order of the requests.
  private func checkShowings(_ round: Int) throws {
    var top: [String: PresentationID] = [:]
    var firstShown: [String: PresentationID] = [:]
    var asked: [PresentationID: Int] = [:]
    for event in events {
      guard let id = event.presentation, let surface = presentations[id]?.request.surface else { continue }
      switch event.kind {
      case .requested: asked[id] = asked.count
      case .presented:
        #expect(top[surface] == nil, "round \(round): two at once on \(surface), event \(event.seq)")
        top[surface] = id
        guard event.detail["generation"] == 1 else { continue }
        if let before = firstShown[surface], let earlier = asked[before], let later = asked[id] {
          #expect(earlier < later, "round \(round): out of order on \(surface), event \(event.seq)")
        }
        firstShown[surface] = id
      case .withdrawn, .answered, .dismissed, .cancelled, .expired, .failed:
        if top[surface] == id { top[surface] = nil }
      default: break
      }
    }
  }

  /// Checks each row against the events that it includes, without completing the rows.
  static func verify(_ database: String, _ comment: Comment) async throws {
    #expect(try await AuditReader(path: database).verify().faults == [], comment)
  }

  private func checkChain(in database: String) throws {
    let connection = try SQLiteConnection(path: database, mode: .readOnly)
    var chain = AuditHead()
    let hashes = try connection.rows("SELECT at, type, presentation, detail, hash FROM events ORDER BY seq", []) { row in
      chain.append(at: row.text(0) ?? "", type: row.text(1) ?? "", presentation: row.text(2), detail: (row.text(3) ?? "").utf8)
      return chain.hash == row.blob(4)
    }
    #expect(!hashes.contains(false), "the hash chain is broken")
  }
}
