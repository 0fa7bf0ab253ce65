/// The content of a screen, changed by keys and other events.
package protocol ScreenState: Sendable {
  associatedtype Event: Sendable
  /// An action for the program after a key or an event.
  associatedtype Action

  mutating func press(_ key: Key) -> Action?
  mutating func handle(_ event: Event) -> Action?
  /// Called before the first drawing, and again after another program used the screen.
  mutating func appear() -> Action?
  /// Draws the content. May clamp its scroll position.
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
  /// Keys not applied yet.
  private var keys: ArraySlice<Key> = []
  /// Whether another program is using the screen, so that drawing is off.
  private var isAway = true

  /// Listens to the keyboard until ``end()``.
  ///
  /// - Parameter fillsScreen: Whether to use the entire screen, rather than the area below the existing text.
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

  /// Listens to the keyboard again, and redraws everything.
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

  /// Removes the content from the screen.
  package mutating func end() {
    keyboard.listen(nil)
    screen.write(painter.erase())
  }
}
