import RouterCore
import TestSupport
import Testing

/// The effect of each input on a presentation in each state.
@Suite struct EveryInputInEveryStateTests {
  /// The states of presentation `x`. It belongs to user 1 and was shown at most once.
  enum State: CaseIterable {
    case queued, shown, covered, suspended, resolved, unknown
  }

  enum Input: CaseIterable {
    case answer, answerStale, answerPresent, dismiss, dismissStale, fail, failStale
    case cancel, finish, timeUp, askOver, askOverAsAnother, askScreenOver, attach, detach, detachUnknown
  }

  private static let cases = State.allCases.flatMap { state in Input.allCases.map { (state, $0) } }

  @Test(arguments: cases) func `handles each input in each state as the table says`(state: State, input: Input) throws {
    var scene = try scene(in: state)
    let before = scene.surfaces.view(of: "main")
    let expected = Self.expected(input, in: state)
    do throws(PresentationRejection) {
      let changes = try perform(input, in: &scene)
      #expect(expected == .changes(changes))
    } catch {
      #expect(expected == .rejected(error))
      #expect(scene.surfaces.view(of: "main") == before)
    }
  }

  // MARK: The table

  enum Expected: Equatable {
    case changes([String])
    case rejected(PresentationRejection)
  }

  private static func expected(_ input: Input, in state: State) -> Expected {
    switch input {
    case .answer, .answerPresent: acted("answered", in: state)
    case .dismiss: acted("dismissed", in: state)
    case .fail: acted("failed", in: state)
    case .answerStale, .dismissStale, .failStale:
      state == .shown ? .rejected(.staleGeneration(1)) : acted("", in: state)
    case .cancel: ended("cancelled/requester", in: state) ?? .rejected(.notOpen)
    case .timeUp: ended(state.isPresented ? "expired/presented" : "expired/queued", in: state) ?? .changes([])
    case .askOver: .askedOver(in: state)
    case .askOverAsAnother: .rejected(.unknownParent)
    // Only a flow can be finished or have screens.
    case .finish: .rejected(state.isOpen ? .notFlow : .notOpen)
    case .askScreenOver: .rejected(state.isOpen ? .parentIsNoFlow : .unknownParent)
    case .attach:
      .changes(state == .suspended ? ["x presented 2"] : [])
    case .detach: .detached(in: state)
    case .detachUnknown: .changes([])
    }
  }

  /// The result of a presenter's action on the current generation, or without a generation.
  private static func acted(_ outcome: String, in state: State) -> Expected {
    switch state {
    case .queued, .suspended: .rejected(.notPresented)
    case .shown: .changes(["x \(outcome)"])
    case .covered: .rejected(.covered)
    case .resolved, .unknown: .rejected(.notOpen)
    }
  }

  /// The changes when the presentation ends, or `nil` if it is not open.
  private static func ended(_ outcome: String, in state: State) -> Expected? {
    switch state {
    case .queued, .shown, .suspended: .changes(["x \(outcome)"])
    case .covered: .changes(["y cancelled/parentEnded", "x \(outcome)"])
    case .resolved, .unknown: nil
    }
  }

  // MARK: Setup and inputs

  private func scene(in state: State) throws -> Scene {
    var scene = Scene()
    switch state {
    case .queued:
      try scene.ask("a")
      try askForX(in: &scene)
    case .shown: try askForX(in: &scene)
    case .covered:
      try askForX(in: &scene)
      try scene.ask("y", over: "x")
    case .suspended:
      try askForX(in: &scene)
      scene.detach(1)
    case .resolved:
      try askForX(in: &scene)
      try scene.dismiss("x")
    case .unknown: break
    }
    return scene
  }

  private func askForX(in scene: inout Scene) throws {
    try scene.ask("x") { $0.draft.timeout = .seconds(9) }
  }

  private func perform(_ input: Input, in scene: inout Scene) throws(PresentationRejection) -> [String] {
    let x = PresentationID(name: "x")
    return switch input {
    case .answer: try scene.answer("x")
    case .answerStale: try scene.answer("x", generation: 0)
    case .answerPresent: try scene.answer("x", generation: 1)
    case .dismiss: try scene.dismiss("x")
    case .dismissStale: try scene.dismiss("x", generation: 0)
    case .fail: try scene.handle(.change(x, Verbs.Fail("cannot")))
    case .failStale: try scene.handle(.change(x, Verbs.Fail("cannot"), generation: 0))
    case .cancel: try scene.cancel("x")
    case .finish: try scene.finish("x")
    case .timeUp: scene.wait(9)
    case .askScreenOver: try scene.askFlow("z", over: "x")
    case .askOver: try scene.ask("z", over: "x")
    case .askOverAsAnother: try scene.ask("z", over: "x", uid: 2)
    case .attach: scene.attach(2)
    case .detach: scene.detach(1)
    case .detachUnknown: scene.detach(9)
    }
  }
}

extension EveryInputInEveryStateTests.State {
  fileprivate var isOpen: Bool {
    switch self {
    case .queued, .shown, .covered, .suspended: true
    case .resolved, .unknown: false
    }
  }

  /// Covered presentations count as presented.
  fileprivate var isPresented: Bool {
    switch self {
    case .shown, .covered: true
    case .queued, .suspended, .resolved, .unknown: false
    }
  }
}

extension EveryInputInEveryStateTests.Expected {
  fileprivate static func askedOver(in state: EveryInputInEveryStateTests.State) -> Self {
    switch state {
    case .queued, .covered, .suspended: .changes(["z requested"])
    case .shown: .changes(["z requested", "x withdrawn 1 covered", "z presented 1 on level 1"])
    case .resolved, .unknown: .rejected(.unknownParent)
    }
  }

  fileprivate static func detached(in state: EveryInputInEveryStateTests.State) -> Self {
    switch state {
    case .queued: .changes(["a withdrawn 1 presenterGone"])
    case .shown: .changes(["x withdrawn 1 presenterGone"])
    case .covered: .changes(["y withdrawn 1 presenterGone", "x withdrawn 1 presenterGone"])
    case .suspended, .resolved, .unknown: .changes([])
    }
  }
}
