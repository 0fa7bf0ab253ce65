import Router
import RouterClient

/// Runs `routerctl top`: fetches data, draws, and performs the actions of keys.
struct TopLoop: Sendable {
  private let client: RouterClient
  private let keyboard: Keyboard
  private let screen: Screen
  private let clock = PresentationClock.system
  /// Wakes the fetching task. Wake-ups during a fetch are coalesced into one.
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init(client: RouterClient, keyboard: Keyboard, screen: Screen) {
    self.client = client
    self.keyboard = keyboard
    self.screen = screen
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Runs until the person quits, or the task is canceled.
  func run(from first: TopData) async {
    var state = TopState(now: clock.wall())
    state.data = first
    var loop = ScreenLoop(state, keyboard: keyboard, screen: screen, fillsScreen: true)
    defer { loop.end() }
    let feed = loop.feed
    await withTaskGroup { group in
      defer { group.cancelAll() }
      func call(_ body: @escaping @Sendable () async throws -> TopState.Event) {
        group.addTask {
          do {
            feed.yield(.state(try await body()))
          } catch {
            feed.yield(.state(.notice(DaemonCheck.words(error))))
          }
          wake.yield()
        }
      }
      group.addTask {
        for await _ in wakes { feed.yield(.state(await fetch())) }
      }
      group.addTask {
        while (try? await clock.sleep(for: .seconds(1))) != nil {
          feed.yield(.state(.time(clock.wall())))
          wake.yield()
        }
      }
      group.addTask { await follow() }
      while let action = await loop.next() {
        switch action {
        case .quit: return
        case .open(_, let surface):
          let known = Set(loop.state.data.grants.map(\.grant.id))
          loop.state.notice = await present(on: surface)
          if let own = try? await client.grants().first(where: { $0.isOwn && !known.contains($0.grant.id) }) {
            loop.state.notice = "remembered: \(own.grant.coverage); u takes it back"
          }
          loop.listen()
          wake.yield()
        case .act(let change, let done):
          call { .notice("\(done): \(try await client.act(change.verb, on: change.id).request.heading)") }
        case .pause(let id):
          call {
            let hour = Duration.seconds(3600)
            let paused = try await client.pauseSession(of: id, for: hour)
            let pause = try await client.pauses().first { $0.presentation == id }
            let warning = pause?.warning(about: try await client.presentations(surface: paused.request.surface))
            return .notice(
              "\(RequesterName(paused).text) paused until \(time(after: hour)), p ends it" + (warning.map { ". \($0)" } ?? ""))
          }
        case .endPause(let pause):
          call {
            try await client.endPause(pause.presentation)
            return .notice("may ask again: \(pause.label)")
          }
        case .revoke(let id): call { .notice("taken back: \(try await client.revoke(id).grant.coverage)") }
        case .rules:
          call {
            let status = try await client.rules()
            return .story(Rules.lines(status, OutputStyle(isTerminal: true, hasColor: false, width: 200), now: clock.wall()))
          }
        case .story(let id):
          call {
            let events = try await client.logEvents(of: id)
            return .story(LogTimeline(events: events, zone: .system, users: .system, style: .plain).lines)
          }
        }
      }
    }
  }

  private func time(after duration: Duration) -> String {
    let now = clock.wall()
    return LocalTime.system.minutes(now.advanced(by: duration), now: now)
  }

  private func fetch() async -> TopState.Event {
    do {
      return .data(try await TopData(from: client), at: clock.wall())
    } catch {
      return .failure(DaemonCheck.words(error))
    }
  }

  /// Fetches again at each event of the log, without waiting for the timer. Without the role audit, only the timer triggers a
  /// fetch.
  private func follow() async {
    while !Task.isCancelled {
      var last = AuditQuery()
      last.limit = 1
      let newest = try? await client.logEventPage(last).page.first
      if let newest { try? await client.followLog(after: newest.seq) { _ in wake.yield() } }
      try? await clock.sleep(for: .seconds(1))
    }
  }

  /// Presents on a surface until one prompt has ended, or the person goes back. The presenter is attached only during this
  /// call, so that the log records a prompt as shown only while a person can see it. Returns the reason for a failure.
  private func present(on surface: String) async -> String? {
    screen.write(Painter.clearsScreen + "Esc or Ctrl-X goes back without an answer.\n")
    let (ending, end) = AsyncStream<Void>.makeStream()
    let keys = Keyboard { end.finish() }
    keyboard.listen { input in
      if case .keys(let pressed) = input, pressed.contains(.goBack) { return end.finish() }
      // Between two prompts there is no listener.
      if !keys.deliver(input), input == .leaving { keys.stop() }
    }
    let presenter = TerminalPresenter(
      name: "top",
      mode: KeyMode(
        keyboard: keys, screen: screen, alike: client.others, goBack: { end.finish() }, timeLeft: client.timeLeft))
    let watched = WatchedPresenter(presenter: presenter) {
      await client.isStackOpen($0)
    } ended: {
      end.finish()
    }
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await client.run(watched, on: surface) }
        group.addTask { for await _ in ending {} }
        try await group.next()
        group.cancelAll()
      }
      return nil
    } catch {
      return DaemonCheck.words(error)
    }
  }
}

extension GrantRecord {
  /// Whether this program gave the answer.
  var isOwn: Bool { grant.by.process.isSameProcess(as: .current) }
}
