package import RouterCore
package import RouterSystem

/// Returns the prompts that one answer may include with a given one.
package typealias AlikePrompts = @Sendable (PresentationID) async -> [Presentation]

/// Shows prompts in place, answered key by key.
package struct KeyMode: PromptMode {
  /// The signal for a new prompt.
  package enum Announcement: Sendable {
    case none, bell, bellAndTitle

    /// The bell, and a terminal title that does not reveal the prompt. XTerm and most other terminals restore the title
    /// (XTWINOPS 22 and 23).
    var text: String {
      switch self {
      case .none: ""
      case .bell: "\u{07}"
      case .bellAndTitle: "\u{07}\u{1B}[22;2t\u{1B}]2;● a prompt waits\u{07}"
      }
    }

    /// The sequence that restores the title.
    var end: String { if case .bellAndTitle = self { "\u{1B}[23;2t" } else { "" } }
  }

  private let keyboard: Keyboard
  private let screen: Screen
  private let clock: PresentationClock
  private let announcement: Announcement
  /// Returns the time until a presentation expires; `nil` if it does not expire, or if the time is unknown.
  private let timeLeft: @Sendable (PresentationID) async -> Duration?
  private let alike: AlikePrompts
  /// Called when the person goes back to a list of prompts, which withdraws the prompt; `nil` without a list.
  private let goBack: (@Sendable () -> Void)?
  /// Takes back what the answer to a presentation made remembered, and returns what to say; `nil` if it cannot.
  private let takeBack: (@Sendable (PresentationID) async -> String)?

  package init(
    keyboard: Keyboard, screen: Screen, clock: PresentationClock = .system, announcement: Announcement = .bell,
    alike: @escaping AlikePrompts = { _ in [] }, goBack: (@Sendable () -> Void)? = nil,
    takeBack: (@Sendable (PresentationID) async -> String)? = nil,
    timeLeft: @escaping @Sendable (PresentationID) async -> Duration?
  ) {
    self.keyboard = keyboard
    self.screen = screen
    self.clock = clock
    self.announcement = announcement
    self.timeLeft = timeLeft
    self.alike = alike
    self.goBack = goBack
    self.takeBack = takeBack
  }

  package func show(_ state: inout PromptState, _ events: AsyncStream<PromptState.Event>) async throws -> PresenterResponse {
    state.goesBack = goBack != nil
    let announcement = state.isEcho ? .none : announcement
    screen.write(announcement.text)
    var loop = ScreenLoop(PromptScreen(state, keyboard: keyboard, clock: clock), keyboard: keyboard, screen: screen)
    defer {
      loop.end()
      screen.write(announcement.end)
      keyboard.noteActivity()
      state = loop.state.prompt
    }
    let (id, feed) = (state.presentation.id, loop.feed)
    let (looks, look) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    if state.waiting > 0 { look.yield() }
    let response: PresenterResponse? = await withTaskGroup { [clock, timeLeft, alike] group in
      defer { group.cancelAll() }
      group.addTask {
        let left = await timeLeft(id)
        feed.yield(.state(.prompt(.expires(left.map { clock.wall().advanced(by: $0) }))))
      }
      group.addTask {
        while (try? await clock.sleep(for: .seconds(1))) != nil { feed.yield(.state(.prompt(.time(clock.wall())))) }
      }
      group.addTask {
        for await event in events {
          feed.yield(.state(.prompt(event)))
          if case .waiting = event { look.yield() }
        }
      }
      group.addTask {
        for await _ in looks { feed.yield(.state(.prompt(.alike(await alike(id))))) }
      }
      while let action = await loop.next() {
        switch action {
        case .respond(let response): return response
        case .goBack: goBack?()
        case .arm(let count, let time):
          group.addTask {
            if (try? await clock.sleep(time)) != nil { feed.yield(.state(.arm(count))) }
          }
        }
      }
      return nil
    }
    guard let response else { throw CancellationError() }
    return response
  }

  package func report(_ end: String, of request: PresentationRequest) {
    let style = screen.style
    screen.write(style.bar(request.heading.escapedForTerminal().cut(to: style.width - 4)) + "\n")
    screen.note(end)
  }

  package func remembered(_ id: PresentationID) {
    guard let takeBack else { return }
    screen.note("remembered; u takes it back")
    // The next prompt listens instead.
    keyboard.listen { [keyboard, screen] input in
      switch input {
      case .keys(let keys) where keys.contains(.text("u")):
        keyboard.listen(nil)
        // Ends with the reply.
        Task { screen.note(await takeBack(id)) }
      case .leaving: keyboard.stop()
      case .said(let text): screen.note(text)
      case .keys, .resized, .resumed: break
      }
    }
  }

  package func warn(_ text: String) {
    if !keyboard.deliver(.said(text)) { screen.note(text) }
  }
}

/// A prompt on the screen, which accepts keys when its ``InputGuard`` ends.
private struct PromptScreen: ScreenState {
  enum Event: Sendable {
    case prompt(PromptState.Event)
    /// Arms the prompt, if the guard still has this count.
    case arm(Int)
  }

  enum Action {
    /// Sends ``Event/arm(_:)`` with a count at a time.
    case arm(Int, at: Duration)
    case respond(PresenterResponse)
    case goBack
  }

  var prompt: PromptState
  private let keyboard: Keyboard
  private let clock: PresentationClock
  private var inputGuard: InputGuard
  /// The number of times the guard began or was extended.
  private var guards = 0
  /// The size and colors of the last drawing.
  private var drawn: (size: ScreenSize, hasColor: Bool)?

  init(_ prompt: PromptState, keyboard: Keyboard, clock: PresentationClock) {
    (self.prompt, self.keyboard, self.clock) = (prompt, keyboard, clock)
    inputGuard = InputGuard(at: clock.now(), activity: keyboard.activity)
  }

  mutating func press(_ key: Key) -> Action? {
    guard prompt.isArmed || prompt.isHarmless(key) else {
      inputGuard.drop(at: clock.now())
      return waitForGuard()
    }
    let readsOn = key == .enter && prompt.readsOn
    if let response = prompt.handle(.key(key)) { return .respond(response) }
    if prompt.isLeft {
      prompt.isLeft = false
      _ = prompt.handle(.disarmed)
      return .goBack
    }
    guard prompt.isArmed else { return appear() }
    guard readsOn, let drawn else { return nil }
    // Further presses of Enter may follow the one that brings the end into view.
    _ = frame(size: drawn.size, hasColor: drawn.hasColor)
    return prompt.readsOn ? nil : appear()
  }

  private mutating func waitForGuard() -> Action {
    guards += 1
    return .arm(guards, at: inputGuard.end)
  }

  mutating func handle(_ event: Event) -> Action? {
    switch event {
    case .prompt(let event): _ = prompt.handle(event)
    case .arm(let count): if count == guards { _ = prompt.handle(.armed) }
    }
    return nil
  }

  mutating func appear() -> Action? {
    _ = prompt.handle(.disarmed)
    inputGuard = InputGuard(at: clock.now(), activity: keyboard.activity)
    return waitForGuard()
  }

  mutating func frame(size: ScreenSize, hasColor: Bool) -> Frame {
    drawn = (size, hasColor)
    let frame = PromptView(prompt, size: size, hasColor: hasColor).frame
    prompt.take(frame)
    return frame
  }
}
