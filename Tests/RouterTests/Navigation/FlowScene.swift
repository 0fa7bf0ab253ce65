import Router
import RouterTesting
import Testing

/// A coordinator, a presenter, and the notes of a flow's closures.
struct FlowScene: Sendable {
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter
  let reader: AuditReader
  let clock = ManualClock()
  let notes = Notes()
  /// The presentations shown to the presenter, in order.
  private let shown = Shared<[Presentation]>([])
  /// The last answered generation of each presentation.
  private let answered = Shared<[PresentationID: Int]>([:])

  private init() async throws {
    let log = try AuditLog.inMemory()
    reader = try AuditReader(log)
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    presenter = TestPresenter(coordinator)
  }

  /// Runs a body with the scene's coordinator in the environment, then checks that nothing is open.
  static func run(_ body: (FlowScene) async throws -> Void) async throws {
    let scene = try await FlowScene()
    try await withEnvironment(\.presentationBroker, scene.coordinator) { try await body(scene) }
    #expect(await scene.coordinator.openCount == 0)
    await scene.coordinator.shutDown()
  }

  /// The next presenter event in short form: `AddressForm 2` for shown, `- Done 1 cancelled` for withdrawn.
  func event() async throws -> String {
    while true {
      switch try await presenter.nextEvent() {
      case .present(let presentation, _):
        let name = presentation.request.sheet ?? presentation.request.heading
        shown.withLock { $0.append(presentation) }
        return "\(name) \(presentation.generation)"
      case .withdraw(let id, let generation, let reason):
        let request = shown.withLock { $0.last { $0.id == id }?.request }
        return "- \(request?.sheet ?? request?.heading ?? "?") \(generation) \(reason)"
      case .queue, .progress: continue
      }
    }
  }

  /// The next presenter events in short form.
  func events(_ count: Int) async throws -> [String] {
    var events: [String] = []
    while events.count < count { events.append(try await event()) }
    return events
  }

  /// The last presentation of the named sheet that was shown.
  func last(_ sheet: String) throws -> Presentation {
    let showings = shown.withLock { $0 }
    return try #require(showings.last { ($0.request.sheet ?? $0.request.heading) == sheet })
  }

  /// Waits for the next showing of the named sheet, skipping others.
  ///
  /// - Parameter again: Whether to accept a just answered screen that is shown again until the next screen appears.
  func showing(_ sheet: String, again: Bool = false) async throws -> Presentation {
    while true {
      guard try await event().hasPrefix("\(sheet) ") else { continue }
      let shown = try last(sheet)
      if again || answered.withLock({ $0[shown.id] }) != shown.generation - 1 { return shown }
    }
  }

  /// Answers the next showing of a sheet.
  @discardableResult
  func answer(_ sheet: String, _ value: JSONValue? = nil, again: Bool = false) async throws -> Presentation {
    let shown = try await showing(sheet, again: again)
    answered.withLock { $0[shown.id] = shown.generation }
    try await presenter.answer(value ?? (shown.request.schema == nil ? true : [:]), on: shown)
    return shown
  }

  /// Dismisses the next showing of a sheet.
  @discardableResult
  func back(from sheet: String, again: Bool = false) async throws -> Presentation {
    let shown = try await showing(sheet, again: again)
    try await presenter.dismiss(shown)
    return shown
  }

  /// The outcomes of ended presentations, in order of ending: `Done cancelled/requester`.
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

/// A value shared by copies of a scene.
final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}

/// Notes made by closures, which a test can wait for.
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

  /// Waits for a note, skipping earlier ones.
  func wait(for note: String) async {
    for await next in stream where next == note { return }
  }
}

/// A gate that opens once. Waiting ignores cancellation.
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

/// Waits until the task is canceled.
func untilCancelled() async {
  let gate = Gate()
  await withTaskCancellationHandler {
    await gate.pass()
  } onCancel: {
    gate.open()
  }
}
