import Dispatch
import Glibc
import Router

/// What comes from the person's terminal: bytes of keys, and that it was resized, left or come back to.
final class Keyboard: Sendable {
  enum Input: Sendable, Hashable {
    case bytes([UInt8])
    case resized
    /// Ctrl-Z: whoever draws lets go of the screen and then calls ``stop()``.
    case leaving
    /// The program runs again, and the screen may have anything on it.
    case resumed
    /// Something that the person should read.
    case said(String)
  }

  /// Called when there is no more input: nothing can be answered any more.
  private let ended: @Sendable () -> Void
  private let listener: Mutex<(@Sendable (Input) -> Void)?> = Mutex(nil)

  init(ended: @escaping @Sendable () -> Void) { self.ended = ended }

  /// Gives what comes from now on to the listener. What comes while there is none was meant for nothing, and is forgotten.
  func listen(_ listener: (@Sendable (Input) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// Passes on input, and returns whether anybody listens.
  @discardableResult func deliver(_ input: Input) -> Bool {
    let listener = listener.withLock(\.self)
    listener?(input)
    return listener != nil
  }

  /// Stops the program until the person comes back to it, with the terminal as it was found.
  func stop() {
    TerminalModes.restore()
    // SIGTSTP is handled here, and a handler that goes away again is a race; this one cannot be.
    kill(getpid(), SIGSTOP)
  }

  /// Reads standard input's terminal key by key while `perform` runs. After that it is as it was found.
  func whileReading<Result>(perform: () async throws -> Result) async throws -> Result {
    let waking = try WakePipe()
    let queue = DispatchQueue(label: "routerctl.signals.terminal")
    let sources = [SIGWINCH, SIGTSTP, SIGCONT].map { number in
      // A window's new size is ignored by default, and a source is told all the same.
      if number == SIGTSTP { signal(number, SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { self.handle(number) }
      source.activate()
      return source
    }
    TerminalModes.readKeys()
    DispatchQueue(label: "routerctl.keys").async { self.read(until: waking) }
    defer {
      waking.wake()
      for source in sources { source.cancel() }
      signal(SIGTSTP, SIG_DFL)
      TerminalModes.restore()
    }
    return try await perform()
  }

  private func handle(_ number: CInt) {
    switch number {
    case SIGTSTP: if !deliver(.leaving) { stop() }
    case SIGCONT:
      guard TerminalModes.isInForeground else { return }
      TerminalModes.readKeys()
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
      // In the background nothing can be read; it is looked again when the program may have come back.
      if !TerminalModes.isInForeground { waits[1].fd = -1 }
      let count = poll(&waits, 2, waits[1].fd < 0 ? 500 : -1)
      if count < 0, errno != EINTR { return ended() }
      guard waits[0].revents == 0 else { return }
      guard count > 0, waits[1].revents != 0 else { continue }
      let length = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if length > 0 {
        deliver(.bytes(Array(chunk[..<length])))
      } else if length == 0 || ![EINTR, EAGAIN].contains(errno) && TerminalModes.isInForeground {
        return ended()
      }
    }
  }
}
