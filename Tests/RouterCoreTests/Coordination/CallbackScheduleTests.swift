import TestSupport
import Testing

@testable import RouterCore

@Suite struct CallbackScheduleTests {
  private var schedule = CallbackSchedule(
    rule: CallbackSchedule.Rule(tries: 3, firstDelay: .seconds(1), longestDelay: .seconds(3), concurrentPerUser: 2))

  @Test mutating func `delivers callbacks for one socket one at a time, in order of ending`() {
    schedule.add(PresentationID(number: 1), uid: 7, socketPath: "/a")
    schedule.add(PresentationID(number: 2), uid: 7, socketPath: "/a")
    #expect(schedule.due(at: .zero) == [PresentationID(number: 1)])
    #expect(schedule.due(at: .zero).isEmpty)
    #expect(schedule.succeeded(PresentationID(number: 1)) == 1)
    #expect(schedule.due(at: .zero) == [PresentationID(number: 2)])
    #expect(schedule.succeeded(PresentationID(number: 2)) == 1)
    #expect(schedule.count == 0)
  }

  @Test mutating func `doubles the delay between retries until the attempts run out`() {
    schedule.add(PresentationID(number: 1), uid: 7, socketPath: "/a")
    #expect(schedule.due(at: .zero) == [PresentationID(number: 1)])
    #expect(schedule.failed(PresentationID(number: 1), at: .seconds(10)) == (.tryAgain(at: .seconds(11)), 1))
    #expect(schedule.nextTime == .seconds(11))
    #expect(schedule.due(at: .seconds(10.5)).isEmpty)
    #expect(schedule.due(at: .seconds(11)) == [PresentationID(number: 1)])
    #expect(schedule.failed(PresentationID(number: 1), at: .seconds(11)) == (.tryAgain(at: .seconds(13)), 2))
    #expect(schedule.due(at: .seconds(13)) == [PresentationID(number: 1)])
    #expect(schedule.failed(PresentationID(number: 1), at: .seconds(13)) == (.giveUp, 3))
    #expect(schedule.count == 0)
    #expect(schedule.nextTime == nil)
  }

  @Test func `caps the retry delay`() {
    #expect((1...100).map { schedule.rule.delay(after: $0) }.prefix(4) == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
    #expect(schedule.rule.delay(after: 1000) == .seconds(3))
  }

  @Test mutating func `does not let a pending retry block later callbacks`() {
    schedule.add(PresentationID(number: 1), uid: 7, socketPath: "/a")
    schedule.add(PresentationID(number: 2), uid: 7, socketPath: "/a")
    _ = schedule.due(at: .zero)
    _ = schedule.failed(PresentationID(number: 1), at: .zero)
    #expect(schedule.due(at: .zero) == [PresentationID(number: 2)])
  }

  @Test mutating func `limits concurrent callbacks per user`() {
    for number in 1...3 { schedule.add(PresentationID(number: number), uid: 7, socketPath: "/\(number)") }
    schedule.add(PresentationID(number: 4), uid: 8, socketPath: "/4")
    #expect(schedule.due(at: .zero) == [PresentationID(number: 1), PresentationID(number: 2), PresentationID(number: 4)])
    #expect(schedule.succeeded(PresentationID(number: 2)) == 1)
    #expect(schedule.due(at: .zero) == [PresentationID(number: 3)])
  }

  @Test mutating func `counts attempts made before a restart`() {
    schedule.add(PresentationID(number: 1), uid: 7, socketPath: "/a", attempts: 2)
    #expect(schedule.due(at: .zero) == [PresentationID(number: 1)])
    #expect(schedule.failed(PresentationID(number: 1), at: .zero) == (.giveUp, 3))
  }

  @Test mutating func `removing a running callback frees its socket and its place in the user's limit`() {
    for number in 1...3 { schedule.add(PresentationID(number: number), uid: 7, socketPath: "/\(number)") }
    schedule.add(PresentationID(number: 4), uid: 7, socketPath: "/1")
    #expect(schedule.due(at: .zero) == [PresentationID(number: 1), PresentationID(number: 2)])
    schedule.remove(PresentationID(number: 1))
    #expect(schedule.count == 3)
    #expect(schedule.due(at: .zero) == [PresentationID(number: 4)])
  }

  @Test mutating func `removes a waiting callback, and keeps the others of its socket in order`() {
    for number in 1...4 { schedule.add(PresentationID(number: number), uid: 7, socketPath: "/a") }
    #expect(schedule.due(at: .zero) == [PresentationID(number: 1)])
    schedule.remove(PresentationID(number: 3))
    #expect(schedule.succeeded(PresentationID(number: 1)) == 1)
    #expect(schedule.due(at: .zero) == [PresentationID(number: 2)])
    #expect(schedule.succeeded(PresentationID(number: 2)) == 1)
    #expect(schedule.due(at: .zero) == [PresentationID(number: 4)])
    #expect(schedule.count == 1)
  }

  @Test mutating func `removes the last waiting callback of a socket`() {
    schedule.add(PresentationID(number: 1), uid: 7, socketPath: "/a")
    schedule.remove(PresentationID(number: 1))
    #expect(schedule.due(at: .zero).isEmpty)
    #expect(schedule.count == 0)
  }

  @Test mutating func `does not retry a removed callback`() {
    schedule.add(PresentationID(number: 1), uid: 7, socketPath: "/a")
    _ = schedule.due(at: .zero)
    _ = schedule.failed(PresentationID(number: 1), at: .zero)
    schedule.remove(PresentationID(number: 1))
    #expect(schedule.due(at: .seconds(1)).isEmpty)
    #expect(schedule.nextTime == nil)
  }
}
