@testable import Router
@testable import RouterCore

/// Makes events as a coordinator does, by folding events, with times chosen by the test. Requests are numbered in order.
final class AuditSamples: Sendable {
  private struct State {
    var lastNumber = 0
    var folded: [PresentationID: Presentation] = [:]
  }

  let ids = PresentationIDGenerator()
  let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/tests")
  /// The time of the first presentation. Each next one is a second later.
  let start = Timestamp("2026-11-21T07:00:00.000Z")!
  private let state = Mutex(State())

  var resolver: Presentation.Responder { Presentation.Responder(process: process, presenter: "terminal") }

  /// A presentation to request.
  func presentation(
    _ number: Int = 0, _ request: PresentationRequest = PresentationRequest(kind: .alert, title: "?"), app: String = "tests",
    uid: UInt32 = 1000
  ) -> Presentation {
    let at = start.advanced(by: .seconds(number))
    var process = process
    process.uid = uid
    return Presentation(
      id: ids.next(at: at), requester: Presentation.Requester(app: app, process: process), request: request, requestedAt: at)
  }

  func requested(
    _ sample: Presentation, lane: Int = 3, rank: Int = 0, key: IdempotencyKey? = nil, hasCallback: Bool = false
  ) -> Event {
    let number = state.withLock { state in
      if let earlier = state.folded[sample.id] { return earlier.number }
      state.lastNumber += 1
      return state.lastNumber
    }
    let asked = Asked(
      requester: sample.requester, request: sample.request, at: sample.requestedAt, number: number, key: key)
    return entry(
      sample, at: sample.requestedAt,
      .requested(
        Event.Requested(
          asked: asked, attached: true, place: PresentationPlace(lane: lane, rank: rank), level: 0,
          hasCallback: hasCallback)))
  }

  func presented(_ sample: Presentation, level: Int = 0, after time: Duration = .seconds(1)) -> Event {
    entry(
      sample, at: sample.requestedAt.advanced(by: time),
      .presented(
        Event.Presented(
          surface: sample.request.surface, generation: (folded(sample)?.generation ?? 0) + 1, level: level, presenters: [])))
  }

  /// A flow's answer, after which the presentation stays open.
  func answered(_ sample: Presentation, _ answer: PresentationAnswer, after time: Duration = .seconds(2)) -> Event {
    entry(
      sample, at: sample.requestedAt.advanced(by: time),
      .answered(Event.Answered(answer: answer, by: resolver, generation: folded(sample)?.generation ?? 0)))
  }

  func resolved(_ sample: Presentation, _ outcome: PresentationOutcome, after seconds: Int = 2) -> Event {
    let before = folded(sample)
    let generation = before.flatMap { $0.state == .presented && !$0.covered ? $0.generation : nil }
    return entry(
      sample, at: sample.requestedAt.advanced(by: .seconds(seconds)),
      .resolved(Event.Resolved(outcome: outcome, by: resolver, generation: generation)))
  }

  func delivered(_ sample: Presentation, after seconds: Int = 3) -> Event {
    entry(sample, at: sample.requestedAt.advanced(by: .seconds(seconds)), .delivered)
  }

  /// A presentation's event.
  func entry(_ sample: Presentation, at: Timestamp, _ detail: Event.Detail) -> Event {
    let event = Event(at: at, presentation: sample.id, detail)
    state.withLock { state in
      do {
        if event.kind == .requested {
          state.folded[sample.id] = try Presentation(event)
        } else {
          try state.folded[sample.id]?.apply(event)
        }
      } catch {
        // Events out of sequence are kept, because some tests need them.
      }
    }
    return event
  }

  /// An event without a presentation.
  func note(_ text: String = "", at: Timestamp? = nil) -> Event {
    Event(
      at: at ?? start,
      .accessDenied(Event.AccessDenied(by: resolver, what: text, reason: "a test", unrecorded: 0)))
  }

  func started(at: Timestamp? = nil) -> Event { Event(at: at ?? start, .daemonStarted(Event.Daemon(resolver))) }
  func stopped(at: Timestamp? = nil) -> Event { Event(at: at ?? start, .daemonStopped(Event.Daemon(resolver))) }

  /// A presentation as folded from its events so far.
  func folded(_ sample: Presentation) -> Presentation? { state.withLock { $0.folded[sample.id] } }
}
