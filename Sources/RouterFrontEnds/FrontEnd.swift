import Glibc
import Router
import RouterClient

/// The outcome of a front end's question.
enum FrontEndOutcome: Sendable, Hashable {
  /// A person gave an answer other than the cancel button.
  case answered(PresentationAnswer, Presentation)
  /// A person pressed the cancel button ("no"), or a rule of the daemon denied the question.
  case declined(Presentation)
  /// A person closed the question without an answer.
  case dismissed(Presentation)
  /// No one answered in time. Never report this as a "no".
  case expired
  /// The caller disconnected, or an administrator canceled the question.
  case withdrawn
  /// The question could not be shown; the text gives the reason: no daemon, no permission, no presenter, or a failed presenter.
  ///
  /// - Parameter isOff: Whether the reason is that a person has switched Router off.
  case unavailable(String, isOff: Bool = false)
}

/// Asks on behalf of a program that speaks another protocol. All front ends share this type, which disables core dumps.
///
/// A front end translates its caller's question to a ``PresentationRequest`` and the outcome back. Only the answer goes to
/// standard output; diagnostics go to standard error.
struct FrontEnd: Sendable {
  /// Whether to wait for a presenter when none is attached. Otherwise the outcome is `unavailable`, so that the front end can
  /// use its fallback.
  var waitsForPresenter = false
  /// Processes, in addition to the parent, whose exit withdraws the question.
  var callers: [Int32] = []
  let client: RouterClient
  /// The parent process when the program started; 0 if it is outside this PID namespace.
  private let parent = getppid()

  /// - Parameters:
  ///   - socket: The daemon's socket (default: `$ROUTERD_SOCKET`, otherwise the user's daemon, otherwise the system's).
  ///   - patience: The maximum wait for a daemon that goes away during the question. A daemon that is missing at first is an
  ///     error.
  ///   - listeners: The users that the daemon may run as; `nil` for any.
  init(socket: String? = nil, patience: Duration = .zero, listeners: Set<UInt32>? = nil) {
    SecretBytes.forbidCoreDumps()
    client = RouterClient(
      socketPath: socket ?? RouterClient.defaultSocketPath(), reconnect: ReconnectPolicy(patience: patience), clock: .system,
      listeners: listeners)
  }

  /// Asks and waits. May be called concurrently.
  ///
  /// Withdraws the question if the task is canceled, if the parent process or one of ``callers`` exits, or on SIGINT, SIGTERM,
  /// SIGHUP or SIGQUIT. After a signal, the program ends by that signal once all questions are withdrawn.
  ///
  /// - Parameter limit: The caller's total time limit. Within it, pauses of the session do not count toward the request's
  ///   timeout: a question that expires during a pause is asked again. `nil` if pauses count.
  func ask(_ request: PresentationRequest, limit: Duration? = nil) async -> FrontEndOutcome {
    do {
      let (clock, begin) = (PresentationClock.system, PresentationClock.system.now())
      var presentation = try await resolved(request)
      while case .expired = presentation.outcome, let timeout = request.timeout, let limit,
        let pause = try? await client.pauses().first(where: { $0.concerns(presentation) })
      {
        let left = limit - (clock.now() - begin)
        guard left > .zero else { break }
        var again = request
        again.timeout = min(left, max(.zero, pause.until.duration(since: clock.wall())) + timeout)
        presentation = try await resolved(again)
      }
      return FrontEndOutcome(presentation)
    } catch let error as RouterError {
      return .unavailable(error.message)
    } catch {
      return .withdrawn
    }
  }

  /// Asks once, and returns the ended presentation.
  private func resolved(_ request: PresentationRequest) async throws -> Presentation {
    do {
      return try await resolved(request, waitsForPresenter ? .waitUnlessOff : .fail)
    } catch let error as RouterError where waitsForPresenter && error.field == "/noPresenter" {
      // 0.1.0 cannot be switched off.
      return try await resolved(request, .wait)
    }
  }

  private func resolved(
    _ request: PresentationRequest, _ noPresenter: PresentationOptions.NoPresenterPolicy
  ) async throws -> Presentation {
    var request = request
    request.noPresenter = noPresenter
    let handle = client.submit(request)
    return try await CallerWatch.watching(parent: parent, callers) {
      handle.cancel()
    } perform: {
      let isSilent = Mutex(false)
      let timer = Task {
        guard (try? await PresentationClock.system.sleep(for: Self.patienceForRecord)) != nil else { return }
        isSilent.withLock { $0 = true }
        handle.cancel()
      }
      var refusal: (any Error)?
      do { _ = try await handle.accepted() } catch { refusal = error }
      timer.cancel()
      if isSilent.withLock(\.self) {
        throw silence
      }
      if let refusal { throw refusal }
      return try await handle.resolved()
    }
  }

  /// The maximum wait until the daemon has recorded a request. A daemon that is stopped, or whose disk hangs, accepts connections
  /// but does not respond; the front end then acts as without a daemon.
  private static let patienceForRecord = Duration.seconds(10)

  private var silence: RouterError { RouterError(.unreachable, "routerd at \(client.socketPath) does not respond") }

  /// Calls the daemon, and gives up if it does not respond.
  func calling<Result: Sendable>(_ call: @escaping @Sendable () async throws -> Result) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await call() }
      group.addTask {
        try await PresentationClock.system.sleep(for: Self.patienceForRecord)
        throw silence
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() else { throw silence }
      return result
    }
  }

  /// The timeout of a question: `$ROUTER_TIMEOUT` in seconds (default: 5 minutes).
  static var timeout: Duration {
    let seconds = environmentVariable("ROUTER_TIMEOUT").flatMap { Double($0) } ?? 300
    return seconds > 0 && seconds <= 86_400 ? .milliseconds(Int64(max(1, seconds * 1000))) : .seconds(300)
  }

  /// Prints one line on standard error, prefixed with the front end's name.
  static func warn(_ name: String, _ message: String) {
    StandardStream.error.line("\(name): \(message.escapedForTerminal())")
  }
}

extension FrontEndOutcome {
  /// A person has switched Router off.
  static let off = Self.unavailable("Router is switched off; routerctl on switches it on", isOff: true)

  /// Creates the outcome of an ended presentation.
  init(_ presentation: Presentation) {
    switch presentation.outcome {
    case .answered(.button(let id))
    where presentation.request.buttons.contains { $0.id == id && $0.role == .cancel }:
      self = .declined(presentation)
    case .answered(.redacted): self = .unavailable("the answer was lost: it was sensitive, and routerd stopped")
    case .answered(let answer): self = .answered(answer, presentation)
    case .dismissed: self = .dismissed(presentation)
    case .expired: self = .expired
    case .cancelled(.requester), .cancelled(.requesterGone), .cancelled(.admin): self = .withdrawn
    case .cancelled(.refused): self = .declined(presentation)
    case .cancelled(.noPresenter):
      self = .unavailable("no presenter is attached to surface \"\(presentation.request.surface)\"")
    case .cancelled(.off): self = .off
    case .cancelled(let reason): self = .unavailable("the prompt was canceled: \(reason.rawValue)")
    case .failed(let detail): self = .unavailable("the presenter failed: \(detail)")
    case nil: self = .unavailable("routerd did not say how the prompt ended")
    }
  }
}

extension Presentation {
  /// The rule of the daemon that denied the question without asking a person, if any.
  var refusingRule: String? { if case .rule(let id, _) = because { id } else { nil } }
}

extension PresentationRequest {
  /// Sets the title from the first line of another program's text, and the message from the rest.
  ///
  /// Escapes control and bidirectional characters, which a request must not contain. A first line that is too long for a title
  /// is repeated in full in the message.
  ///
  /// - Parameter title: The title if the first line has no visible characters.
  mutating func setText(_ text: String, title defaultTitle: String) {
    let lines = text.showingKeptBytes.withUnixLineEnds.replacing(each: "\t", with: " ")
      .split(at: "\n", omittingEmptySubsequences: false).map { $0.trimmingWhiteSpace.escapedForTerminal() }
      .drop { $0.isEmpty }
    let first = lines.first ?? ""
    title = first.isEmpty ? defaultTitle : first.cut(toBytes: 1024)
    let rest = (title == first ? Array(lines.dropFirst()) : Array(lines)).joined(separator: "\n").cut(toBytes: 65_536)
    message = rest.allSatisfy(\.isWhitespace) ? nil : rest
  }
}

extension String {
  /// The label without the underscores that mark mnemonics; a double underscore becomes a single one.
  var withoutMnemonic: String {
    var (label, isMark) = (String.UnicodeScalarView(), false)
    for scalar in unicodeScalars {
      isMark = scalar == "_" && !isMark
      if !isMark { label.append(scalar) }
    }
    return String(label)
  }

  /// The text with a period, unless it ends with a mark: errors end without one, or with a question.
  var asSentence: String { ends(with: "?") || ends(with: ".") ? self : self + "." }

  /// Truncates the text to `limit` bytes of UTF-8, with an ellipsis if something was cut.
  func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var output = ""
    for character in self {
      guard output.utf8.count + character.utf8.count + 3 <= limit else { break }
      output.append(character)
    }
    return output + "…"
  }
}
