/// What a terminal shows, changed by keys and other events.
package protocol ScreenState: Sendable {
  associatedtype Event: Sendable
  /// What the program has to do after a key or an event.
  associatedtype Action

  mutating func press(_ key: Key) -> Action?
  mutating func handle(_ event: Event) -> Action?
  /// Called before it is drawn for the first time, and again after another program had the screen.
  mutating func appear() -> Action?
  /// Draws it. May limit its scroll position to what there is.
  mutating func frame(size: ScreenSize, hasColor: Bool) -> Frame
}

extension ScreenState {
  package mutating func appear() -> Action? { nil }
}

/// Draws a state in place and applies keys and events to it. Handles Ctrl-L, Ctrl-Z and the window's size.
package struct ScreenLoop<State: ScreenState> {
  package enum Event: Sendable {
    case keyboard(Keyboard.Input)
    case state(State.Event)
  }

  package var state: State
  /// Accepts events.
  package let feed: AsyncStream<Event>.Continuation
  private var events: AsyncStream<Event>.Iterator
  private let keyboard: Keyboard
  private let screen: Screen
  private var size: ScreenSize
  private var painter: Painter
  /// Keys that are not applied yet.
  private var keys: ArraySlice<Key> = []
  /// Whether another program has the screen, so that nothing is drawn.
  private var isAway = true

  /// Starts to listen to the keyboard, until ``end()``.
  ///
  /// - Parameter fillsScreen: Whether to draw on the whole screen, and not below the text on it.
  package init(_ state: State, keyboard: Keyboard, screen: Screen, fillsScreen: Bool = false) {
    self.state = state
    self.keyboard = keyboard
    self.screen = screen
    size = screen.size()
    painter = Painter(fillsScreen: fillsScreen)
    let (events, feed) = AsyncStream<Event>.makeStream()
    self.feed = feed
    self.events = events.makeAsyncIterator()
    listen()
  }

  /// Listens to the keyboard, and draws everything again.
  package func listen() {
    keyboard.listen { [feed] in feed.yield(.keyboard($0)) }
    feed.yield(.keyboard(.resumed))
  }

  /// Returns the next action; `nil` when the task is canceled.
  package mutating func next() async -> State.Action? {
    while true {
      while let key = keys.popFirst() {
        if key == .redraw {
          screen.write(painter.clearScreen())
        } else if let action = state.press(key) {
          return action
        }
      }
      if !isAway { screen.write(painter.paint(state.frame(size: size, hasColor: screen.hasColor))) }
      guard let event = await events.next() else { return nil }
      switch event {
      case .keyboard(let input): if let action = handle(input) { return action }
      case .state(let event): if let action = state.handle(event) { return action }
      }
    }
  }

  private mutating func handle(_ input: Keyboard.Input) -> State.Action? {
    switch input {
    case .keys(let pressed): keys = pressed[...]
    case .said(let text):
      screen.write(painter.erase())
      screen.note(text)
    case .resized:
      let new = screen.size()
      screen.write(painter.resize(from: size, to: new))
      size = new
    case .leaving:
      screen.write(painter.leave())
      isAway = true
      keyboard.stop()
    case .resumed:
      isAway = false
      size = screen.size()
      screen.write(painter.begin())
      return state.appear()
    }
    return nil
  }

  /// Removes it from the screen.
  package mutating func end() {
    keyboard.listen(nil)
    screen.write(painter.erase())
  }
}
