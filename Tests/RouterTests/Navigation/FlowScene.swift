import OrderedCollections
import Router
import RouterTesting
import Testing

/// A coordinator, the person in front of it, and what a flow's closures note down.
struct FlowScene: Sendable {
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter
  let reader: AuditReader
  let clock = ManualClock()
  let notes = Notes()
  /// What the presenter was told to show, in order.
  private let shown = Shared<[Presentation]>([])
  /// On which generation something was answered last.
  private let answered = Shared<[PresentationID: Int]>([:])

  private init() async throws {
    let log = try AuditLog.inMemory()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    presenter = TestPresenter(coordinator)
  }

  /// Runs a body with a scene whose coordinator is in the environment, after which nothing may be open.
  static func run(_ body: (FlowScene) async throws -> Void) async throws {
    let scene = try await FlowScene()
    try await withEnvironment(\.presentationBroker, scene.coordinator) { try await body(scene) }
    #expect(await scene.coordinator.openCount == 0)
    await scene.coordinator.shutDown()
  }

  /// What the presenter is told next, in short: `AddressForm 2` is shown, `- Done 1 cancelled` withdrawn.
  func event() async throws -> String {
    while true {
      switch try await presenter.next() {
      case .present(let presentation, _):
        let name = presentation.request.sheet ?? presentation.request.heading
        shown.withLock { $0.append(presentation) }
        return "\(name) \(presentation.generation)"
      case .withdraw(let id, let generation, let reason):
        let request = shown.withLock { $0.last { $0.id == id }?.request }
        return "- \(request?.sheet ?? request?.heading ?? "?") \(generation) \(reason)"
      case .queue: continue
      }
    }
  }

  /// The next things that the presenter is told, in short.
  func events(_ count: Int) async throws -> [String] {
    var events: [String] = []
    while events.count < count { events.append(try await event()) }
    return events
  }

  /// The last showing of a sheet, by its name, that the presenter was told of.
  func last(_ sheet: String) throws -> Presentation {
    let showings = shown.withLock { $0 }
    return try #require(showings.last { ($0.request.sheet ?? $0.request.heading) == sheet })
  }

  /// The next showing of a sheet, by its name; others are passed over.
  ///
  /// - Parameter again: Whether it may be what was just answered, which is put up again until the next screen comes.
  func showing(_ sheet: String, again: Bool = false) async throws -> Presentation {
    while true {
      guard try await event().hasPrefix("\(sheet) ") else { continue }
      let shown = try last(sheet)
      if again || answered.withLock({ $0[shown.id] }) != shown.generation - 1 { return shown }
    }
  }

  /// Answers the next showing of a sheet.
  @discardableResult
  func answer(_ sheet: String, _ value: JSONValue = .object([:]), again: Bool = false) async throws -> Presentation {
    let shown = try await showing(sheet, again: again)
    answered.withLock { $0[shown.id] = shown.generation }
    try await presenter.answer(value, on: shown)
    return shown
  }

  /// Goes back from the next showing of a sheet.
  @discardableResult
  func back(from sheet: String, again: Bool = false) async throws -> Presentation {
    let shown = try await showing(sheet, again: again)
    try await presenter.dismiss(shown)
    return shown
  }

  /// How each presentation ended that has, in the order of ending: `Done cancelled/requester`.
  func endings() async throws -> [String] {
    let rows = try await reader.resolved(AuditQuery()).page
    var endings: [(Int64, String)] = []
    for row in rows {
      let last = try await reader.events(of: row.id).last { $0.kind != .delivered }
      let outcome = [row.outcome?.name.rawValue, row.outcome?.reason].compactMap(\.self).joined(separator: "/")
      endings.append((last?.seq ?? 0, "\(row.request.sheet ?? row.request.heading) \(outcome)"))
    }
    return endings.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

/// A value that copies of a scene share.
private final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}

/// What closures note down, for the test to wait for.
final class Notes: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let noted = Mutex<[String]>([])

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// All notes so far.
  var all: [String] { noted.withLock { $0 } }

  func callAsFunction(_ note: String) {
    noted.withLock { $0.append(note) }
    continuation.yield(note)
  }

  /// Waits until a note has been made, passing over those before it.
  func wait(for note: String) async {
    for await next in stream where next == note { return }
  }
}

/// A door that opens once. Whoever waits does so also when cancelled.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Waits until the task is cancelled.
func untilCancelled() async {
  let gate = Gate()
  await withTaskCancellationHandler {
    await gate.pass()
  } onCancel: {
    gate.open()
  }
}
