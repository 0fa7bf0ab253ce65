import RouterCore
import TestSupport
import Testing

/// The effect of each input on a flow's presentation in each state.
@Suite struct EveryInputInEveryFlowStateTests {
  /// The states of `x`: a root or, for the screen states, a screen on the root `r`.
  enum State: CaseIterable {
    case queued, shown, shownAnswered, covered, coveredAnswered, suspended, suspendedAnswered, screen, screenAnswered, ended

    var isAnswered: Bool {
      switch self {
      case .shownAnswered, .coveredAnswered, .suspendedAnswered, .screenAnswered: true
      case .queued, .shown, .covered, .suspended, .screen, .ended: false
      }
    }

    var isScreen: Bool { self == .screen || self == .screenAnswered }
    var isOnTop: Bool { self == .shown || self == .shownAnswered || isScreen }
    var isCovered: Bool { self == .covered || self == .coveredAnswered }
    var isSuspended: Bool { self == .suspended || self == .suspendedAnswered }
    /// The generation of the current or last showing.
    var generation: Int { self == .queued ? 0 : isAnswered ? 2 : 1 }
    /// The level suffix in the text of a change.
    var level: String { isScreen ? " on level 1" : "" }
  }

  enum Input: CaseIterable {
    case answer, answerPresent, answerStale, dismiss, dismissStale, fail, finish, cancel, timeUp
    case askScreen, askScreenAsAnother, askAlert, attach, detach
  }

  private static let cases = State.allCases.flatMap { state in Input.allCases.map { (state, $0) } }

  @Test(arguments: cases) func `handles each input in each flow state as the table says`(state: State, input: Input) throws {
    var scene = try scene(in: state)
    let before = scene.surfaces.view(of: "main")
    let expected = Self.expected(input, in: state)
    do throws(PresentationRejection) {
      #expect(expected == .success(try perform(input, in: &scene, state)))
    } catch {
      #expect(expected == .failure(error))
      #expect(scene.surfaces.view(of: "main") == before)
    }
  }

  // MARK: The table

  private typealias Expected = Result<[String], PresentationRejection>

  private static func expected(_ input: Input, in state: State) -> Expected {
    switch input {
    case .answer, .answerPresent: acted(in: state, [answered(state), putUpAgain(state)])
    case .answerStale, .dismissStale: state.isOnTop ? .failure(.staleGeneration(state.generation)) : acted(in: state, [])
    case .dismiss: acted(in: state, ["x dismissed"] + rootAgain(state))
    case .fail: acted(in: state, ["x failed"] + rootAgain(state))
    case .finish:
      state == .ended ? .failure(.notOpen) : state.isAnswered ? ended("answered", in: state) : .failure(.notAnswered)
    case .cancel: state == .ended ? .failure(.notOpen) : ended("cancelled/requester", in: state)
    case .timeUp:
      state == .ended
        ? .success([]) : ended(state.isOnTop || state.isCovered ? "expired/presented" : "expired/queued", in: state)
    case .askScreen, .askAlert: asked(in: state)
    case .askScreenAsAnother: .failure(.unknownParent)
    case .attach: .success(state.isSuspended ? [putUpAgain(state)] : [])
    case .detach: .success(detached(in: state))
    }
  }

  private static func answered(_ state: State) -> String { "x answered on \(state.generation)" }
  private static func putUpAgain(_ state: State) -> String { "x presented \(state.generation + 1)\(state.level)" }
  /// The root's change when its screen ends and uncovers it.
  private static func rootAgain(_ state: State) -> [String] { state.isScreen ? ["r presented 2"] : [] }

  private static func acted(in state: State, _ changes: [String]) -> Expected {
    switch state {
    case .queued, .suspended, .suspendedAnswered: .failure(.notPresented)
    case .covered, .coveredAnswered: .failure(.covered)
    case .shown, .shownAnswered, .screen, .screenAnswered: .success(changes)
    case .ended: .failure(.notOpen)
    }
  }

  private static func ended(_ outcome: String, in state: State) -> Expected {
    .success((state.isCovered ? ["y cancelled/parentEnded"] : []) + ["x \(outcome)"] + rootAgain(state))
  }

  private static func asked(in state: State) -> Expected {
    if state == .ended { return .failure(.unknownParent) }
    guard state.isOnTop else { return .success(["z requested"]) }
    let level = state.isScreen ? 2 : 1
    return .success(["z requested", "x withdrawn \(state.generation) covered", "z presented 1 on level \(level)"])
  }

  private static func detached(in state: State) -> [String] {
    let withdrawn = "x withdrawn \(state.generation) presenterGone"
    switch state {
    case .queued: return ["a withdrawn 1 presenterGone"]
    case .shown, .shownAnswered: return [withdrawn]
    case .covered, .coveredAnswered: return ["y withdrawn 1 presenterGone", withdrawn]
    case .screen, .screenAnswered: return [withdrawn, "r withdrawn 1 presenterGone"]
    case .suspended, .suspendedAnswered, .ended: return []
    }
  }

  // MARK: Setup and inputs

  private func scene(in state: State) throws -> Scene {
    var scene = Scene()
    if state == .queued { try scene.ask("a") }
    if state.isScreen { try scene.askFlow("r") }
    try scene.askFlow("x", over: state.isScreen ? "r" : nil) { $0.draft.timeout = .seconds(9) }
    if state.isAnswered { try scene.answer("x") }
    if state.isCovered { try scene.askFlow("y", over: "x") }
    if state.isSuspended { scene.detach(1) }
    if state == .ended { try scene.dismiss("x") }
    return scene
  }

  private func perform(
    _ input: Input, in scene: inout Scene, _ state: State
  ) throws(PresentationRejection) -> [String] {
    let stale = state.generation - 1
    return switch input {
    case .answer: try scene.answer("x")
    case .answerPresent: try scene.answer("x", generation: state.generation)
    case .answerStale: try scene.answer("x", generation: stale)
    case .dismiss: try scene.dismiss("x")
    case .dismissStale: try scene.dismiss("x", generation: stale)
    case .fail: try scene.handle(.change(PresentationID(name: "x"), Verbs.Fail("cannot")))
    case .finish: try scene.finish("x")
    case .cancel: try scene.cancel("x")
    case .timeUp: scene.wait(9)
    case .askScreen: try scene.askFlow("z", over: "x")
    case .askScreenAsAnother: try scene.ask("z", over: "x", uid: 2) { $0.makeFlow() }
    case .askAlert: try scene.ask("z", over: "x")
    case .attach: scene.attach(2)
    case .detach: scene.detach(1)
    }
  }
}
