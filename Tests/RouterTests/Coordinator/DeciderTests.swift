import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// Deciders without a coordinator, a log or a thread: their effects, with a log that fails when it is told to.
/// Promise P14.
struct DeciderTests {
  /// Does the effects of a decider, as a coordinator would.
  private struct Host {
    var decider: any PresentationDecider
    var record = PresentationFold()
    var followed: Int64 = 0
    var now = Moment(.seconds(1))
    /// Appends that the log has not processed. It fails those from before it was told to try again.
    var appended: ArraySlice<(append: AuditLog.Append, step: Int)> = []
    private var late = 0
    /// Events in the log that the decider has not had followed.
    var written: [Event] = []
    /// The log takes nothing until it is told to try again.
    var isBroken = false
    var replies: [ReplyID: [Result<Decision, RouterError>]] = [:]
    var sent: [SharedInput] = []
    private var lastReply = 0
    private(set) var lastAppend = 0

    init(_ decider: any PresentationDecider) { self.decider = decider }

    var recorded: Recorded {
      Recorded(state: record, followed: followed, screens: Screens(), isShuttingDown: false)
    }

    @discardableResult mutating func handle(_ input: DeciderInput, isAwaited: Bool = true) -> ReplyID {
      lastReply += 1
      if isAwaited { replies[lastReply] = [] }
      perform(decider.handle(input, reply: isAwaited ? lastReply : nil, at: now) { recorded })
      return lastReply
    }

    mutating func perform(_ effects: [Effect]) {
      for effect in effects {
        switch effect {
        case .append(let append, let step):
          #expect(step > lastAppend, "appended out of order")
          lastAppend = step
          appended.append((append, step))
        case .follow(let events, let seq, let time, _):
          #expect(written.prefix(events.count).elementsEqual(events), "follows what is not in the log")
          written.removeFirst(min(events.count, written.count))
          followed = seq
          let moment = Moment(boot: time, wall: now.wall)
          for event in events { #expect(throws: Never.self) { try record.apply(event, at: moment) } }
        case .lost(let events, _): record.skip(events)
        case .reply(let id, let result): if let id { replies[id]?.append(result) }
        case .retry: (isBroken, late) = (false, appended.count)
        case .become(let other): decider = other
        case .send(let input, _): sent.append(input)
        case .decided, .refuse, .showCommitted, .flush, .resumed, .stop, .lookUp, .replied, .steppedDown: break
        }
      }
    }

    /// Processes the oldest append.
    mutating func log(fails: Bool = false) {
      guard let (append, step) = appended.popFirst() else { return }
      let isLate = late > 0
      late = max(0, late - 1)
      if fails { isBroken = true }
      let result: AuditLog.AppendResult
      if isBroken || isLate {
        result = .failed(.logUnavailable)
      } else {
        written += append.events
        result = .recorded(followed + Int64(append.events.count))
      }
      perform(decider.appended(step, result, at: now) { recorded })
    }

    mutating func tick(after time: Duration) {
      now = Moment(boot: now.boot + time, wall: now.wall.advanced(by: time))
      if let next = decider.status.nextTime, next <= now.boot { perform(decider.tick(at: now)) }
    }
  }

  private static let person = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: 9), presenter: "p1")

  private func ask(_ number: Int) throws -> PresentationAsk { try PresentationAsk(PresentationID(number: number)).checked() }

  @Test func `acts on a request once it is recorded, and replies before`() throws {
    var host = Host(LocalDecider(PresentationSurfaces(), backoff: nil))
    let reply = host.handle(.ask(try ask(1)))
    #expect(try host.replies[reply]?.map { try $0.get() }.count == 1)
    #expect(host.record.count == 0 && host.appended.count == 1 && !host.decider.status.isIdle)
    host.log()
    #expect(host.record.count == 1 && host.decider.status.isIdle)
  }

  @Test func `refuses what was decided and is not recorded, and goes on after a second`() throws {
    var host = Host(LocalDecider(PresentationSurfaces(), backoff: nil))
    host.handle(.ask(try ask(1)))
    host.log()
    let answer = host.handle(.change(.change(PresentationID(number: 1), Verbs.Cancel(), by: .user(1))))
    #expect(host.replies[answer]?.isEmpty == true)
    // It cannot be refused, and is kept.
    host.handle(.fact(.presenterAttached(PresenterID(1), PresenterIdentity(1), surface: "main"), host.now), isAwaited: false)
    host.log(fails: true)
    host.log()
    #expect(throws: RouterError.self) { try host.replies[answer]?.first?.get() }
    #expect(host.record.count == 1 && !host.decider.status.isWritable && host.decider.status.nextTime == .seconds(2))
    host.tick(after: .seconds(1))
    while !host.appended.isEmpty { host.log() }
    #expect(host.decider.status.isWritable && host.record[PresentationID(number: 1)]?.isShown == true)
  }

  @Test func `gives each caller one reply, and never runs ahead of a log that fails at random`() throws {
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      var host = Host(LocalDecider(PresentationSurfaces(), backoff: DismissalBackoff.Rule()))
      var gone: Set<PresentationID> = []
      for number in 1...60 {
        // A recent one, whose events may be on their way to the log.
        let id = PresentationID(number: max(1, number - random.below(4)))
        switch random.below(10) {
        case 0...3: host.handle(.ask(try ask(number)))
        case 4: host.handle(.change(.change(id, Verbs.Answer(.button("ok")), by: Self.person)))
        case 5: host.handle(.change(.change(id, Verbs.Cancel(), by: .user(1))))
        case 6:
          gone.insert(id)
          host.handle(.fact(.change(id, Verbs.RequesterGone(.requesterGone)), host.now), isAwaited: false)
        case 7:
          host.handle(
            .fact(.presenterAttached(PresenterID(number), PresenterIdentity(number), surface: "main"), host.now),
            isAwaited: false)
        case 8: host.tick(after: .milliseconds(100 * random.below(20)))
        default: host.handle(.flush)
        }
        for _ in 0..<random.below(3) { host.log(fails: random.chance(5)) }
      }
      host.tick(after: .seconds(2))
      while !host.appended.isEmpty { host.log() }
      #expect(host.replies.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
      #expect(host.written.isEmpty, "seed \(seed)")
      #expect(gone.allSatisfy { host.record[$0] == nil }, "seed \(seed)")
      let local = try #require(host.decider as? LocalDecider)
      #expect(local.isWritable && local.status.isIdle && local.facts.isEmpty, "seed \(seed)")
      #expect(local.surfaces.state.surfaces["main"]?.entries == host.record.surfaces["main"]?.entries, "seed \(seed)")
    }
  }

  // MARK: Shared surfaces

  private final class Link: SharedLink {
    func send(_ input: SharedInput, number: Int) {}
    func report(_ progress: PresentationProgress?, of id: PresentationID) {}
    func recorded(_ row: InboxReply) {}
    func steppedDown() {}
  }

  private func follower() -> Host {
    let surface = SharedSurface(name: "main", host: "alpha", link: Link())
    let terms = FollowingDecider.Terms(surface: surface, process: .current, backoff: nil, attachmentsPerMinute: 240)
    var host = Host(FollowingDecider(terms, .init()))
    host.handle(.shared(.connected(true)))
    return host
  }

  @Test func `leads until a commit fails, and then sends the new leader what cannot be refused`() throws {
    var host = follower()
    let refused = host.handle(.change(.change(PresentationID(number: 1), Verbs.Raise(), by: Self.person)))
    #expect(!host.decider.status.isLeading && host.sent.count == 1)
    host.handle(.shared(.replied(1, .notOpen)))
    #expect(throws: RouterError.self) { try host.replies[refused]?.first?.get() }
    host.handle(.shared(.takeOver(awaiting: [])))
    #expect(host.decider.status.isLeading)
    let asked = host.handle(.ask(try ask(1)))
    while !host.appended.isEmpty { host.log() }
    #expect(host.record[PresentationID(number: 1)]?.owner.host == "alpha" && host.replies[asked]?.count == 1)

    let cancel = host.handle(.change(.change(PresentationID(number: 1), Verbs.Cancel(), by: .user(1))))
    host.handle(.fact(.change(PresentationID(number: 1), Verbs.RequesterGone(.requesterGone)), host.now), isAwaited: false)
    host.log(fails: true)
    host.log()
    #expect(throws: RouterError.self) { try host.replies[cancel]?.first?.get() }
    #expect(!host.decider.status.isLeading && host.record.count == 1)
    // The cancellation had ended it, but that is lost.
    #expect(host.sent.last == .input(.change(PresentationID(number: 1), Verbs.RequesterGone(.requesterGone))))
  }

  @Test func `a late result of an earlier lead is ignored`() throws {
    var host = follower()
    host.handle(.shared(.takeOver(awaiting: [])))
    while !host.appended.isEmpty { host.log() }
    host.handle(.ask(try ask(1)))
    let late = try #require(host.appended.first)
    host.log(fails: true)
    host.handle(.shared(.takeOver(awaiting: [])))
    host.perform(host.decider.appended(late.step, .recorded(99), at: host.now) { host.recorded })
    #expect(host.record.count == 0 && host.decider.status.isLeading)
    while !host.appended.isEmpty { host.log() }
    #expect(host.decider.status.isIdle)
  }
}
