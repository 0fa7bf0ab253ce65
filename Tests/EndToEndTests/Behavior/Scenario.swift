import Foundation
import Router
import RouterTesting
import Testing

/// The root screen of the suite's flows.
struct ShippingForm: Sheet {
  typealias Answer = String
}

struct Payment: Sheet {
  typealias Answer = String
  var address: String
}

/// A final sheet that only confirms.
struct Done: Sheet {
  var address: String
}

/// A sheet that every broker refuses, because of the line break in its title.
struct RefusedSheet: Sheet {
  var title: String { "two\nlines" }
}

/// A broker, the person who answers, and the notes of the code under test.
final class Scenario: Sendable {
  private struct State {
    /// The presentations shown so far, in order.
    var showings: [Presentation] = []
    /// The generation of each presentation's last answer.
    var answered: [PresentationID: Int] = [:]
    var notes: [String] = []
  }

  /// How often repeated flows run; set by `ROUTER_REPETITIONS`.
  static let repetitions = ProcessInfo.processInfo.environment["ROUTER_REPETITIONS"].flatMap(Int.init) ?? 5

  let host: any Host
  let presenter: TestPresenter
  private let state = Mutex(State())
  private let noted: AsyncStream<String>
  private let notedContinuation: AsyncStream<String>.Continuation

  var broker: any PresentationBroker { host.broker }

  init(_ host: any Host) {
    self.host = host
    presenter = TestPresenter(host.broker)
    (noted, notedContinuation) = AsyncStream.makeStream()
  }

  // MARK: Notes

  var notes: [String] { state.withLock(\.notes) }

  func note(_ note: String) {
    state.withLock { $0.notes.append(note) }
    notedContinuation.yield(note)
  }

  /// Waits for a note, skipping earlier ones.
  func wait(for note: String) async {
    for await next in noted where next == note { return }
  }

  // MARK: The person

  /// Returns the presenter's next event in short: `address 2` for a showing, `- done 1 cancelled` for a withdrawal.
  func event() async throws -> String {
    while true {
      switch try await presenter.nextEvent() {
      case .present(let presentation, _):
        state.withLock { $0.showings.append(presentation) }
        return "\(presentation.request.heading) \(presentation.generation)"
      case .withdraw(let id, let generation, let reason):
        let heading = state.withLock { $0.showings.last { $0.id == id }?.request.heading }
        return "- \(heading ?? "?") \(generation) \(reason)"
      case .queue, .progress: continue
      }
    }
  }

  func events(_ count: Int) async throws -> [String] {
    var events: [String] = []
    while events.count < count { events.append(try await event()) }
    return events
  }

  /// Returns the last showing with a heading that the presenter received.
  func last(_ heading: String) throws -> Presentation {
    let showings = state.withLock(\.showings)
    return try #require(showings.last { $0.request.heading == heading })
  }

  /// Returns the next showing with a heading. Skips others, and a just-answered screen that is shown again until the next one
  /// comes.
  func showing(_ heading: String) async throws -> Presentation {
    while true {
      guard try await event().hasPrefix("\(heading) ") else { continue }
      let shown = try last(heading)
      if state.withLock({ $0.answered[shown.id] }) != shown.generation - 1 { return shown }
    }
  }

  @discardableResult
  func answer(_ heading: String, _ value: JSONValue? = nil) async throws -> Presentation {
    let shown = try await showing(heading)
    state.withLock { $0.answered[shown.id] = shown.generation }
    try await presenter.answer(value ?? (shown.request.schema == nil ? true : [:]), on: shown)
    return shown
  }

  func press(_ button: String, on heading: String) async throws {
    try await presenter.press(id: button, on: try await showing(heading))
  }

  @discardableResult
  func back(from heading: String) async throws -> Presentation {
    let shown = try await showing(heading)
    try await presenter.dismiss(shown)
    return shown
  }

  /// Returns the recorded outcome of a presentation.
  func outcome(of presentation: Presentation) async throws -> PresentationOutcome? {
    try await host.reader.presentation(presentation.id)?.outcome
  }
}

extension Place {
  /// Runs a body with a scenario whose broker is in the environment, and expects nothing to be open afterwards.
  func play(_ body: (Scenario) async throws -> Void) async throws {
    try await run { host in
      try await body(Scenario(host))
      try await host.eventuallyTold("nothing is open") { try await host.open().isEmpty }
    }
  }
}

/// Waits until the task is canceled.
func untilCancelled() async {
  let (stream, continuation) = AsyncStream<Void>.makeStream()
  await withTaskCancellationHandler {
    for await _ in stream {}
  } onCancel: {
    continuation.finish()
  }
}

extension Result where Failure == NoAnswer {
  /// How it ended without an answer.
  var end: NoAnswer? {
    if case .failure(let end) = self { end } else { nil }
  }
}
