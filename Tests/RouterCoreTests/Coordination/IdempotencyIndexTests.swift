import TestSupport
import Testing

@testable import RouterCore

/// The index of requests by idempotency key.
@Suite struct IdempotencyIndexTests {
  private var index = IdempotencyIndex()

  private func presentation(
    _ number: Int, key: String = "k", hash: UInt8 = 1, uid: UInt32 = 1, app: String = "test"
  ) -> Presentation {
    let asked = Asked(
      requester: requester(uid: uid, app: app), request: PresentationRequest(kind: .sheet),
      at: Timestamp(milliseconds: 0), number: number, key: IdempotencyKey(text: key, requestHash: [hash]))
    return Presentation(
      id: PresentationID(number: number), attached: true, asked: asked, place: PresentationPlace(lane: 3, rank: 0),
      level: 0)
  }

  private func requester(uid: UInt32 = 1, app: String = "test") -> Presentation.Requester {
    Presentation.Requester(app: app, process: ProcessIdentity(uid: uid, gid: uid, pid: 1))
  }

  private enum Found: Equatable {
    case open(Int)
    case ended(Int)
  }

  private func found(_ key: String = "k", uid: UInt32 = 1, app: String = "test") throws -> Found? {
    func number(_ id: PresentationID) -> Int { (1...2_000).first { PresentationID(number: $0) == id } ?? 0 }
    return switch try index.find(IdempotencyKey(text: key, requestHash: [1]), of: requester(uid: uid, app: app)) {
    case .open(let id)?: .open(number(id))
    case .ended(let id)?: .ended(number(id))
    case nil: nil
    }
  }

  @Test mutating func `finds a key's open presentation, and later its outcome`() throws {
    #expect(try found() == nil)
    index.opened(presentation(1))
    #expect(try found() == .open(1))
    index.ended(PresentationID(number: 1), .dismissed)
    #expect(try found() == .ended(1))
  }

  @Test mutating func `scopes a key to user and app`() throws {
    index.opened(presentation(1))
    #expect(try found(uid: 2) == nil)
    #expect(try found(app: "other") == nil)
    #expect(try found("other") == nil)
  }

  @Test mutating func `rejects a key reused for a different request, open or ended`() throws {
    index.opened(presentation(1, hash: 2))
    #expect(throws: PresentationRejection.keyReused) { try found() }
    index.ended(PresentationID(number: 1), .dismissed)
    #expect(throws: PresentationRejection.keyReused) { try found() }
  }

  @Test(arguments: [PresentationOutcome.CancellationReason.requesterGone, .interrupted])
  mutating func `frees the key of a presentation whose end was never reported`(reason: PresentationOutcome.CancellationReason)
    throws
  {
    index.opened(presentation(1))
    index.ended(PresentationID(number: 1), .cancelled(reason))
    #expect(try found() == nil)
    index.opened(presentation(2))
    #expect(try found() == .open(2))
  }

  @Test mutating func `forgets the oldest ended presentations and keeps the latest`() throws {
    for number in 1...2_000 {
      index.opened(presentation(number, key: "k\(number)"))
      index.ended(PresentationID(number: number), .dismissed)
    }
    #expect(try found("k1") == nil)
    for number in 1_500...2_000 { #expect(try found("k\(number)") != nil) }
  }
}
