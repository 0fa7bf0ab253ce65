/// Shows presentations on this program's terminal.
package actor TerminalPresenter: Presenter {
  /// The delay before showing a flow's answered sheet again, because the next screen usually follows.
  package static let flowDelay = Duration.milliseconds(400)

  package nonisolated let name: String
  private let mode: any PromptMode
  private let clock: PresentationClock
  /// Whether the person can snooze prompts only while others wait.
  private let laterNeedsOthers: Bool
  /// Receives events while a prompt is shown.
  private var feed: AsyncStream<PromptState.Event>.Continuation?
  private var withdrawal: Presentation.Withdrawal?
  private var memory = PromptMemory()
  /// The last reported progress.
  private var progress: (id: PresentationID, event: PromptState.Event)?

  package init(
    name: String, mode: any PromptMode, clock: PresentationClock = .system, laterNeedsOthers: Bool = false
  ) {
    self.name = name
    self.mode = mode
    self.clock = clock
    self.laterNeedsOthers = laterNeedsOthers
  }

  package func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    withdrawal = nil
    let isEcho = memory.isEchoed(by: presentation)
    if isEcho { try await clock.sleep(for: Self.flowDelay) }
    var state = PromptState(
      presentation, request: memory.filledIn(presentation), waiting: waiting, now: clock.wall(),
      parents: memory.parents(of: presentation), typed: memory.typed(for: presentation), isEcho: isEcho,
      notice: memory.refusal(of: presentation))
    state.laterNeedsOthers = laterNeedsOthers
    if let progress, progress.id == presentation.id { _ = state.handle(progress.event) }
    memory.remember(presentation)
    let (events, feed) = AsyncStream<PromptState.Event>.makeStream()
    self.feed = feed
    defer {
      self.feed = nil
      memory.remember(typed: state.typed, into: presentation)
    }
    do {
      let response = try await mode.show(&state, events)
      memory.remember(response, to: presentation)
      mode.report("you " + response.summary(of: presentation), of: presentation.request)
      if response.extra.remember != nil { mode.remembered(presentation.id) }
      return response
    } catch let error as CancellationError {
      let reason = withdrawal?.explanation(of: presentation.request) ?? "withdrawn: this presenter is exiting"
      mode.report(reason, of: presentation.request)
      throw error
    }
  }

  package func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {
    withdrawal = reason
  }

  package func waitingCountChanged(to waiting: Int) async {
    feed?.yield(.waiting(waiting))
  }

  package func progressChanged(to fraction: Double, label: String?, of presentation: Presentation) async {
    progress = (presentation.id, .progress(fraction, label))
    feed?.yield(.progress(fraction, label))
  }

  package func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    memory.forgetAnswer(to: presentation)
    memory.remember(refusal: error.message, of: presentation)
    mode.warn(error.message)
  }
}

extension (any Presenter)? {
  /// A presenter for command-line tools. Prints prompts to standard error and reads answers from standard input. When standard
  /// input ends, the presentations fail.
  ///
  /// ```swift
  /// let coordinator = try await PresentationCoordinator(log: log, presenter: .terminal)
  /// ```
  public static var terminal: Self {
    TerminalPresenter(name: "terminal", mode: LineMode(output: .error), laterNeedsOthers: true)
  }
}
