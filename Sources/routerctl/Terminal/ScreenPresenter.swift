import OrderedCollections
import Router

/// Shows presentations in a terminal, drawn in place and answered key by key. ``PromptState`` has the logic.
actor ScreenPresenter: Presenter {
  /// How long to wait after an Escape before treating it as a key press, since slow lines split arrow-key sequences.
  static let escapeDelay = Duration.milliseconds(100)
  /// How long to wait before showing a flow's sheet again that was just answered here, because the next screen usually follows.
  static let flowDelay = Duration.milliseconds(400)

  private enum Event: Sendable {
    case input(Keyboard.Input)
    case prompt(PromptState.Event)
    /// No input has arrived since this number of inputs.
    case quiet(Int)
    /// The arming delay with this sequence number has passed.
    case armed(Int)
  }

  nonisolated let name: String
  private let keyboard: Keyboard
  private let screen: Screen
  private let clock: PresentationClock
  /// Returns the time until a presentation expires; `nil` if it does not, or if that is unknown.
  private let timeLeft: @Sendable (PresentationID) async -> Duration?

  private var painter = Painter()
  /// Receives the events of the current prompt; `nil` while none is shown.
  private var feed: AsyncStream<Event>.Continuation?
  private var withdrawal: Presentation.Withdrawal?
  private var memory = PromptMemory()
  /// The last reported progress.
  private var progress: (id: PresentationID, event: PromptState.Event)?

  init(
    name: String, keyboard: Keyboard, screen: Screen, clock: PresentationClock = .system,
    timeLeft: @escaping @Sendable (PresentationID) async -> Duration?
  ) {
    self.name = name
    self.keyboard = keyboard
    self.screen = screen
    self.clock = clock
    self.timeLeft = timeLeft
  }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    withdrawal = nil
    let isEcho = memory.isEchoed(by: presentation)
    if isEcho { try await clock.sleep(for: Self.flowDelay) }
    var state = PromptState(
      presentation, request: memory.filledIn(presentation), waiting: waiting, now: clock.wall(),
      parents: memory.parents(of: presentation), typed: memory.typed(for: presentation),
      notice: memory.refusal(of: presentation) ?? (isEcho ? "Answered. Waiting for the program to continue." : nil))
    if let progress, progress.id == presentation.id { _ = state.handle(progress.event) }
    memory.remember(presentation)
    if !isEcho { screen.write("\u{07}") }
    let (events, feed) = AsyncStream<Event>.makeStream()
    self.feed = feed
    keyboard.listen { feed.yield(.input($0)) }
    defer {
      keyboard.listen(nil)
      self.feed = nil
    }
    let response = await withTaskGroup { group in
      defer { group.cancelAll() }
      return await show(state, events, feed, &group)
    }
    guard let response else {
      say("withdrawn: ", withdrawal?.explanation(of: presentation.request) ?? "this presenter is exiting", of: presentation)
      throw CancellationError()
    }
    memory.remember(response, to: presentation)
    say("you ", response.summary(in: presentation.request), of: presentation)
    return response
  }

  func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {
    withdrawal = reason
  }

  func waitingCountChanged(to waiting: Int) async {
    feed?.yield(.prompt(.waiting(waiting)))
  }

  func progressChanged(to fraction: Double, label: String?, of presentation: Presentation) async {
    progress = (presentation.id, .progress(fraction, label))
    feed?.yield(.prompt(.progress(fraction, label)))
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    memory.forgetAnswer(to: presentation)
    memory.remember(refusal: error.message, of: presentation)
    write(error.message)
  }

  private func show(
    _ first: PromptState, _ events: AsyncStream<Event>, _ feed: AsyncStream<Event>.Continuation, _ group: inout TaskGroup<Void>
  ) async -> PresenterResponse? {
    var state = first
    var parser = KeyParser()
    var (inputs, showings) = (0, 0)
    var size = screen.size()
    // Nothing is drawn while another program has the screen.
    var isAway = false
    let clock = clock

    func later(_ delay: Duration, _ event: Event) {
      group.addTask {
        if (try? await clock.sleep(for: delay)) != nil { feed.yield(event) }
      }
    }
    func arm() {
      showings += 1
      _ = state.handle(.disarmed)
      parser = KeyParser()
      later(PromptState.arming, .armed(showings))
    }

    group.addTask { [timeLeft] in
      let left = await timeLeft(first.presentation.id)
      feed.yield(.prompt(.expires(left.map { clock.wall().advanced(by: $0) })))
    }
    group.addTask {
      while (try? await clock.sleep(for: .seconds(1))) != nil { feed.yield(.prompt(.time(clock.wall()))) }
    }
    arm()
    draw(&state, size)
    for await event in events {
      switch event {
      case .input(.bytes(let bytes)):
        inputs += 1
        for key in parser.feed(bytes) {
          if key == .redraw { screen.write(painter.clearScreen()) }
          if let response = state.handle(.key(key)) { return finish(state, response) }
        }
        if parser.isPending { later(Self.escapeDelay, .quiet(inputs)) }
      case .quiet(let count) where count == inputs:
        if let key = parser.pause(), let response = state.handle(.key(key)) { return finish(state, response) }
      case .quiet: break
      case .armed(let count): if count == showings { _ = state.handle(.armed) }
      case .prompt(let event): _ = state.handle(event)
      case .input(.said(let text)):
        screen.write(painter.erase())
        write(text)
      case .input(.resized): resize(&size)
      case .input(.leaving):
        screen.write(painter.leave())
        keyboard.stop()
        isAway = true
      case .input(.resumed):
        isAway = false
        size = screen.size()
        arm()
      }
      if !isAway { draw(&state, size) }
    }
    memory.remember(typed: state.typed, into: state.presentation)
    screen.write(painter.erase())
    return nil
  }

  private func finish(_ state: PromptState, _ response: PresenterResponse) -> PresenterResponse {
    memory.remember(typed: state.typed, into: state.presentation)
    screen.write(painter.erase())
    return response
  }

  private func draw(_ state: inout PromptState, _ size: ScreenSize) {
    let frame = PromptView(state, size: size, hasColor: screen.hasColor).frame
    (state.scroll, state.page) = (frame.scroll, frame.page)
    screen.write(painter.paint(frame))
  }

  private func resize(_ size: inout ScreenSize) {
    let new = screen.size()
    // Terminals differ in whether they wrap or cut lines when they shrink, so their positions are unknown.
    if new.columns < min(size.columns, 100) || new.rows <= painter.height { screen.write(painter.clearScreen()) }
    size = new
  }

  private func say(_ start: String, _ text: String, of presentation: Presentation) {
    let style = style
    let heading = presentation.request.heading.escapedForTerminal().cut(to: style.width - 4)
    screen.write(style.bar(heading) + "\n")
    write(start + text)
  }

  private func write(_ text: String) {
    let style = style
    for line in text.escapedForTerminal().wrapped(to: style.width) { screen.write(style.text(line, .dim) + "\n") }
  }

  private var style: OutputStyle {
    OutputStyle(
      isTerminal: true, hasColor: screen.hasColor,
      width: min(max(screen.size().columns, PromptView.minimumColumns), 100))
  }
}
