import Dispatch
import Glibc
package import RouterSystem

/// Reads keys from the person's terminal, and reports when it is resized, suspended or resumed.
package final class Keyboard: Sendable {
  package enum Input: Sendable, Hashable {
    case keys([Key])
    case resized
    /// Ctrl-Z: the listener releases the screen and then calls ``stop()``.
    case leaving
    /// The program was resumed, and the screen contents are unknown.
    case resumed
    /// A message to the person.
    case said(String)
  }

  /// Called at the end of the input, when no further answers are possible.
  private let ended: @Sendable () -> Void
  private let listener: Mutex<(@Sendable (Input) -> Void)?> = Mutex(nil)
  private let parser = Mutex(KeyParser())
  private let clock: PresentationClock
  /// The time of the last key press, or of the last prompt's disappearance.
  private let lastActivity: Mutex<Duration?> = Mutex(nil)
  /// The delay in milliseconds before an Escape becomes a key, since slow lines split the sequences of arrow keys.
  private static let escapeDelay: CInt = 100

  package init(clock: PresentationClock = .system, ended: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.ended = ended
  }

  var activity: Duration? { lastActivity.withLock(\.self) }

  func noteActivity() { lastActivity.withLock { $0 = clock.now() } }

  /// Sends input to the listener from now on. Input that arrives without a listener is discarded.
  package func listen(_ listener: (@Sendable (Input) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// Delivers input, and returns whether there is a listener.
  @discardableResult package func deliver(_ input: Input) -> Bool {
    let listener = listener.withLock(\.self)
    if case .keys = input { noteActivity() }
    listener?(input)
    return listener != nil
  }

  /// Suspends the program, with the terminal in its original mode, until it is resumed.
  package func stop() {
    TerminalModes.restore()
    // SIGTSTP is handled here, and resetting its handler would be a race; SIGSTOP cannot be handled.
    kill(getpid(), SIGSTOP)
  }

  /// Reads keys from the terminal while `perform` runs, then restores the terminal.
  package func whileReading<Result>(perform: () async throws -> Result) async throws -> Result {
    let waking = try WakePipe()
    let listener = try Signals.listen(to: [SIGWINCH, SIGTSTP, SIGCONT], handle)
    TerminalModes.readKeys()
    DispatchQueue(label: "routerctl.keys").async { self.read(until: waking) }
    defer {
      waking.wake()
      Signals.stop(listener)
      TerminalModes.restore()
    }
    return try await perform()
  }

  @Sendable private func handle(_ number: CInt) {
    switch number {
    case SIGTSTP: if !deliver(.leaving) { stop() }
    case SIGCONT:
      guard TerminalModes.isInForeground else { return }
      TerminalModes.readKeys()
      parser.withLock { $0 = KeyParser() }
      deliver(.resumed)
    default: deliver(.resized)
    }
  }

  private func read(until waking: WakePipe) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      var waits = [
        pollfd(fd: waking.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      ]
      // Input cannot be read in the background; checks again when the program may be in the foreground.
      if !TerminalModes.isInForeground { waits[1].fd = -1 }
      let isPending = parser.withLock(\.isPending)
      let count = poll(&waits, 2, isPending ? Self.escapeDelay : waits[1].fd < 0 ? 500 : -1)
      if count < 0, errno != EINTR { return ended() }
      guard waits[0].revents == 0 else { return }
      if count == 0, let key = parser.withLock({ $0.pause() }) { deliver(.keys([key])) }
      guard count > 0, waits[1].revents != 0 else { continue }
      let length = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if length > 0 {
        deliver(.keys(parser.withLock { $0.feed(chunk[..<length]) }))
      } else if length == 0 || ![EINTR, EAGAIN].contains(errno) && TerminalModes.isInForeground {
        return ended()
      }
    }
  }
}
