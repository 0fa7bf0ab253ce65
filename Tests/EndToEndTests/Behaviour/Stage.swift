import Foundation
import Router
import RouterTesting
import Testing

/// The root of the suite's flows.
struct ShippingForm: Sheet {
  typealias Answer = String
}

struct Payment: Sheet {
  typealias Answer = String
  var address: String
}

/// A sheet with nothing to say but to go on.
struct Done: Sheet {
  var address: String
}

/// A sheet that no broker takes: a title has no line breaks.
struct RefusedSheet: Sheet {
  var sheetTitle: TextState? { "two\nlines" }
}

/// A broker, the person in front of it, and what the code under test notes down.
final class Stage: Sendable {
  private struct State {
    /// What was shown, in order.
    var showings: [Presentation] = []
    /// On which generation something was answered last.
    var answered: [PresentationID: Int] = [:]
    var notes: [String] = []
  }

  /// How often what is repeated is repeated; `ROUTER_REPETITIONS` says otherwise.
  static let repetitions = ProcessInfo.processInfo.environment["ROUTER_REPETITIONS"].flatMap(Int.init) ?? 5

  let house: any House
  let presenter: TestPresenter
  private let state = Mutex(State())
  private let noted: AsyncStream<String>
  private let notedContinuation: AsyncStream<String>.Continuation

  var broker: any PresentationBroker { house.broker }

  init(_ house: any House) {
    self.house = house
    presenter = TestPresenter(house.broker)
    (noted, notedContinuation) = AsyncStream.makeStream()
  }

  // MARK: Notes

  var notes: [String] { state.withLock(\.notes) }

  func note(_ note: String) {
    state.withLock { $0.notes.append(note) }
    notedContinuation.yield(note)
  }

  /// Waits until a note has been made, passing over those before it.
  func wait(for note: String) async {
    for await next in noted where next == note { return }
  }

  // MARK: The person

  /// What the presenter is told next, in short: `address 2` is shown, `- done 1 cancelled` withdrawn.
  func event() async throws -> String {
    while true {
      switch try await presenter.next() {
      case .present(let presentation, _):
        state.withLock { $0.showings.append(presentation) }
        return "\(presentation.request.heading) \(presentation.generation)"
      case .withdraw(let id, let generation, let reason):
        let heading = state.withLock { $0.showings.last { $0.id == id }?.request.heading }
        return "- \(heading ?? "?") \(generation) \(reason)"
      case .queue: continue
      }
    }
  }

  func events(_ count: Int) async throws -> [String] {
    var events: [String] = []
    while events.count < count { events.append(try await event()) }
    return events
  }

  /// The last showing of something, by its heading, that the presenter was told of.
  func last(_ heading: String) throws -> Presentation {
    let showings = state.withLock(\.showings)
    return try #require(showings.last { $0.request.heading == heading })
  }

  /// The next showing of something, by its heading; others are passed over, and so is what was just answered and is put up
  /// again until the next screen comes.
  func showing(_ heading: String) async throws -> Presentation {
    while true {
      guard try await event().hasPrefix("\(heading) ") else { continue }
      let shown = try last(heading)
      if state.withLock({ $0.answered[shown.id] }) != shown.generation - 1 { return shown }
    }
  }

  @discardableResult
  func answer(_ heading: String, _ value: JSONValue = true) async throws -> Presentation {
    let shown = try await showing(heading)
    state.withLock { $0.answered[shown.id] = shown.generation }
    try await presenter.answer(value, on: shown)
    return shown
  }

  func press(_ button: String, on heading: String) async throws {
    try await presenter.press(button, on: try await showing(heading))
  }

  @discardableResult
  func back(from heading: String) async throws -> Presentation {
    let shown = try await showing(heading)
    try await presenter.dismiss(shown)
    return shown
  }

  /// How something ended, by the record.
  func outcome(of presentation: Presentation) async throws -> PresentationOutcome? {
    try await house.reader.presentation(presentation.id)?.outcome
  }
}

extension Place {
  /// Runs a body with a stage, whose broker is in the environment; after that nothing may be open.
  func play(_ body: (Stage) async throws -> Void) async throws {
    try await run { house in
      try await body(Stage(house))
      let open = try await house.open()
      #expect(open.isEmpty)
    }
  }
}

/// Waits until the task is cancelled.
func untilCancelled() async {
  let (stream, continuation) = AsyncStream<Void>.makeStream()
  await withTaskCancellationHandler {
    for await _ in stream {}
  } onCancel: {
    continuation.finish()
  }
}
