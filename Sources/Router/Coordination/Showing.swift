/// One showing of a presentation: the task of its ``Presenter/present(_:waiting:)``, and the state of its response.
final class Showing: Sendable {
  private struct State {
    var presentation: Presentation
    /// The last reported length of the queue.
    var waiting: Int
    /// Whether the person's response is in transit to the broker.
    var isUnderWay = false
    var isOver = false
    /// Whether the task has returned.
    var isDone = false
    /// The requests that its own code has stacked on it since it was last shown.
    var asked: [PresentationHandle] = []
    /// Ended by `takeDown`, at the latest when the presenter's run ends.
    var task: Task<Void, Never>?
  }

  let id: PresentationID
  private let state: Mutex<State>
  /// The generations in which it is shown again.
  private let (generations, generated) = AsyncStream<Int>.makeStream()

  init(_ presentation: Presentation, waiting: Int) {
    id = presentation.id
    state = Mutex(State(presentation: presentation, waiting: waiting))
  }

  var presentation: Presentation { state.withLock(\.presentation) }

  var waiting: Int {
    get { state.withLock(\.waiting) }
    set { state.withLock { $0.waiting = newValue } }
  }

  var isUnderWay: Bool { state.withLock(\.isUnderWay) }

  /// Whether its own code has stacked a request on it. Its task then continues even while it is covered.
  var hasAsked: Bool { state.withLock { !$0.asked.isEmpty } }

  func start(_ show: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      state.task = Task {
        await show()
        self.state.withLock { $0.isDone = true }
      }
    }
  }

  func asked(_ handle: PresentationHandle) {
    state.withLock { $0.asked.append(handle) }
  }

  /// Shows the presentation again after it was covered: the task's result counts for this generation. Returns whether the task
  /// is still running.
  func putUp(_ presentation: Presentation) -> Bool {
    let isRunning = state.withLock { state in
      state.presentation = presentation
      state.asked.removeAll(where: \.hasEnded)
      return !state.isDone
    }
    generated.yield(presentation.generation)
    return isRunning
  }

  /// Sends the response. While a request from its handler covers it, waits until it is shown again.
  func tell(_ send: (_ generation: Int) async throws -> Presentation) async throws {
    while let generation = begin() {
      do {
        _ = try await send(generation)
        return replied()
      } catch let error as RouterError {
        replied()
        guard error.isAboutGeneration, mayBePutUp(after: generation) else { throw error }
        for await newer in generations where newer > generation { break }
        guard !Task.isCancelled else { return }
      }
      // Without a reply, for example when the task is canceled, the response stays in transit.
    }
  }

  private func replied() {
    state.withLock { $0.isUnderWay = false }
  }

  private func mayBePutUp(after generation: Int) -> Bool {
    state.withLock { !$0.asked.isEmpty || $0.presentation.generation > generation }
  }

  /// The generation to respond to; `nil` if no response is wanted.
  private func begin() -> Int? {
    state.withLock { state in
      state.isUnderWay = !state.isOver
      return state.isOver ? nil : state.presentation.generation
    }
  }

  /// Refuses further responses. Waits for the broker's reply to one in transit: a broker may withdraw an answered prompt before
  /// the answer is recorded.
  func finish() async {
    let (isUnderWay, task) = state.withLock { state in
      state.isOver = true
      return (state.isUnderWay, state.task)
    }
    guard isUnderWay else { return }
    await withTaskCancellationHandler {
      await task?.value
    } onCancel: {
      // The presenter is being removed, so it does not wait for an unresponsive broker.
      task?.cancel()
    }
  }

  func takeDown() async {
    let task = state.withLock(\.task)
    task?.cancel()
    await task?.value
  }

  var mayRespond: Bool { state.withLock { !$0.isOver } }
}

extension RouterError {
  /// Whether an answer was refused because another showing, or another presentation, has replaced the answered one.
  fileprivate var isAboutGeneration: Bool {
    switch code {
    case .staleGeneration, .covered, .notPresented: true
    default: false
    }
  }
}
