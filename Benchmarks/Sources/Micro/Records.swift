@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem

/// The log in memory, so that no disk is measured; AppendCost measures the disk.
enum Records {
  static func subjects() async throws -> [Micro.Subject] {
    let ids = PresentationIDGenerator()
    let log = try AuditLog.inMemory()
    func asked(_ number: Int) -> Event {
      let sample = Sample.presentation(ids.next(at: PresentationClock.system.wall())).numbered(number, key: nil)
      let requested = Event.Requested(
        asked: sample.asked, attached: true, place: PresentationPlace(lane: 3, rank: number), level: 0, hasCallback: false)
      return Event(at: sample.requestedAt, presentation: sample.id, .requested(requested))
    }
    // Queries read a separate log that does not grow with the rounds.
    let filled = try AuditLog.inMemory()
    for page in 0..<100 { try await filled.append((1...100).map { asked(page * 100 + $0) }) }
    let reader = try AuditReader(filled)
    let numbers = Mutex(0)
    return [
      Micro.Subject(name: "a request recorded, 64 in a commit", count: 640) { count in
        for _ in 0..<count / 64 {
          let first = numbers.withLock { number in
            defer { number += 64 }
            return number
          }
          try await log.append((1...64).map { asked(first + $0) })
        }
      },
      Micro.Subject(name: "the newest hundred of 10,000 read", count: 20) { count in
        for _ in 0..<count { blackHole(try await reader.presentationPage(AuditQuery())) }
      },
    ]
  }
}
