import Router
import RouterClient

/// Runs `routerctl top`: fetches, draws, and handles keys.
actor TopLoop {
  private enum Event: Sendable {
    case input(Keyboard.Input)
    case data(TopData)
    case failure(String)
    case time
    /// No input has arrived since this many inputs.
    case quiet(Int)
    case notice(String)
    case story([String])
  }

  private let client: RouterClient
  private let keyboard: Keyboard
  private let screen: Screen
  private var painter = Painter()
  private var parser = KeyParser()
  private var state = TopState(now: PresentationClock.system.wall())
  /// Wakes the fetching task. Wakes during a fetch are coalesced into one more.
  private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  init(client: RouterClient, keyboard: Keyboard, screen: Screen) {
    self.client = client
    self.keyboard = keyboard
    self.screen = screen
  }

  /// Runs until the person quits, or the task is canceled.
  func run(from first: TopData) async throws {
    let (events, feed) = AsyncStream<Event>.makeStream()
    state.data = first
    try await withThrowingTaskGroup { group in
      defer { group.cancelAll() }
      group.addTask { [client, wakes] in
        for await _ in wakes {
          do {
            feed.yield(.data(try await TopData(from: client)))
          } catch {
            feed.yield(.failure(DaemonCheck.words(error)))
          }
        }
      }
      group.addTask { [wake] in
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          feed.yield(.time)
          wake.yield()
        }
      }
      group.addTask { [client, wake] in await Self.follow(client, wake) }
      try await act(on: events, feed)
    }
  }

  /// Fetches again at each event of the log, without waiting for the next second. Without the role audit, only the timer does.
  private static func follow(_ client: RouterClient, _ wake: AsyncStream<Void>.Continuation) async {
    while !Task.isCancelled {
      var last = AuditQuery()
      last.limit = 1
      let newest = try? await client.logEvents(last).page.first
      if let newest { try? await client.followLog(after: newest.seq) { _ in wake.yield() } }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Erases the screen.
  func leave() {
    keyboard.listen(nil)
    screen.write(painter.erase())
  }

  private func act(on events: AsyncStream<Event>, _ feed: AsyncStream<Event>.Continuation) async throws {
    var (inputs, isAway) = (0, false)
    listen(feed)
    screen.write(painter.clearScreen())
    draw()
    for await event in events {
      switch event {
      case .input(.bytes(let bytes)):
        inputs += 1
        for key in parser.feed(bytes) where try await !press(key, feed) { return }
        if parser.isPending { later(.quiet(inputs), feed) }
      case .quiet(let count):
        if count == inputs, let key = parser.pause(), try await !press(key, feed) { return }
      case .input(.said(let text)): state.notice = text
      case .input(.resized): screen.write(painter.clearScreen())
      case .input(.leaving):
        screen.write(painter.leave())
        isAway = true
        keyboard.stop()
      case .input(.resumed):
        isAway = false
        screen.write(painter.clearScreen())
      case .time: state.now = PresentationClock.system.wall()
      case .data(let data):
        state.data = data
        state.now = PresentationClock.system.wall()
      case .failure(let words): state.data.failure = words
      case .notice(let text): state.notice = text
      case .story(let lines): state.story = TopState.Story(lines: lines)
      }
      if !isAway { draw() }
    }
  }

  /// Handles a key, and returns whether to continue.
  private func press(_ key: Key, _ feed: AsyncStream<Event>.Continuation) async throws -> Bool {
    switch state.handle(key) {
    case nil: break
    case .quit: return false
    case .redraw: screen.write(painter.clearScreen())
    case .open(_, let surface): try await present(surface, feed)
    case .dismiss(let id): call(feed) { [client] in "closed: \(try await client.dismiss(id).request.heading)" }
    case .withdraw(let id): call(feed) { [client] in "withdrawn: \(try await client.cancel(id).request.heading)" }
    case .story(let id): tell(id, feed)
    }
    return true
  }

  /// Makes a call and shows its result. The task ends with the call, which does not wait for a missing daemon.
  private func call(_ feed: AsyncStream<Event>.Continuation, _ body: @escaping @Sendable () async throws -> String) {
    Task { [wake] in
      do {
        feed.yield(.notice(try await body()))
      } catch {
        feed.yield(.notice(DaemonCheck.words(error)))
      }
      wake.yield()
    }
  }

  private func tell(_ id: PresentationID, _ feed: AsyncStream<Event>.Continuation) {
    // Ends with the call.
    Task { [client] in
      do {
        let story = LogTimeline(
          events: try await client.logEvents(of: id), zone: .system, users: .system, style: .plain)
        feed.yield(.story(story.lines))
      } catch {
        feed.yield(.notice(DaemonCheck.words(error)))
      }
    }
  }

  private func later(_ event: Event, _ feed: AsyncStream<Event>.Continuation) {
    // Ends after a short delay.
    Task {
      try? await Task.sleep(for: ScreenPresenter.escapeDelay)
      feed.yield(event)
    }
  }

  private func listen(_ feed: AsyncStream<Event>.Continuation) { keyboard.listen { feed.yield(.input($0)) } }

  private func draw() {
    let view = TopView(state, size: screen.size(), hasColor: screen.hasColor)
    let frame = view.frame
    state.story?.scroll = frame.scroll
    screen.write(painter.paint(frame))
  }

  /// Presents on a surface until one prompt has ended, or the person goes back. It is attached only for that time, so that
  /// the log records a prompt as shown only while a person can see it.
  private func present(_ surface: String, _ feed: AsyncStream<Event>.Continuation) async throws {
    screen.write(painter.clearScreen() + "Ctrl-X goes back without an answer.\n")
    let (ending, end) = AsyncStream<Void>.makeStream()
    let keys = Keyboard { end.finish() }
    keyboard.listen { input in
      if case .bytes(let bytes) = input, bytes.contains(Self.back) { return end.finish() }
      keys.deliver(input)
    }
    let presenter = ScreenPresenter(name: "top", keyboard: keys, screen: screen) { [client] id in
      guard let seconds = try? await client.prompt(of: id)["timeLeft"]?.number?.double else { return nil }
      return .seconds(seconds)
    }
    let watched = WatchedPresenter(presenter: presenter) { [client] in
      await client.isStackOpen($0)
    } ended: {
      end.finish()
    }
    do {
      try await withThrowingTaskGroup { [client] group in
        group.addTask { try await client.run(watched, on: surface) }
        group.addTask { for await _ in ending {} }
        try await group.next()
        group.cancelAll()
      }
    } catch let error as RouterError {
      state.notice = error.message
    }
    listen(feed)
    parser = KeyParser()
    screen.write(painter.clearScreen())
    wake.yield()
  }

  /// Ctrl-X.
  private static let back: UInt8 = 0x18
}
