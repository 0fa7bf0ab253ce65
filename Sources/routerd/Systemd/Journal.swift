import Glibc
import Logging
import Router
import RouterClient

/// Sends the logs' events to systemd's journal after they are committed (`log.journal`). Never delays a commit: counts and
/// omits entries that the journal does not accept.
final class Journal: Service {
  struct Counts: Sendable {
    var sent = 0
    var lost = 0
  }

  private struct State {
    var counts = Counts()
    /// Whether a wait for the journal timed out, and it has accepted no entry since.
    var isStuck = false
  }

  /// The number of attempts, every five milliseconds, before entries for a slow journal are dropped.
  private static let tries = 200

  private let socket: DatagramSocket
  private let hasTexts: Bool
  private let logger: Logger
  private let state = Mutex(State())
  private let (logs, joined) = AsyncStream<FollowedLog>.makeStream()

  var counts: Counts { state.withLock(\.counts) }

  /// - Parameter path: The journal's socket, which may be missing.
  /// - Throws: ``RouterError`` if the path is too long, or there is no free descriptor.
  init(path: String, hasTexts: Bool, logger: Logger) throws {
    guard let address = try? UnixSocketAddress(path: path) else {
      throw RouterError(.invalid, "cannot use the setting log.journal: the path is too long for a socket")
    }
    guard let socket = DatagramSocket(to: address, .none) else {
      throw RouterError(failed: "cannot create a socket for the journal")
    }
    self.socket = socket
    (self.hasTexts, self.logger) = (hasTexts, logger)
  }

  /// Sends a log's future events. A new copy of a shared surface's log sends all of its events.
  func follow(_ log: AuditLog) async throws {
    joined.yield(try await FollowedLog(log))
  }

  func run(until stop: StopSignal) async {
    let followed = Mutex<[FollowedLog]>([])
    await stop.runUntilSent {
      await withDiscardingTaskGroup { tasks in
        for await log in self.logs {
          followed.withLock { $0.append(log) }
          tasks.addTask {
            await self.sendNew(of: log)
            for await _ in log.commits { await self.sendNew(of: log) }
          }
        }
      }
    }
    // Sends the events that the daemon recorded while stopping.
    for log in followed.withLock(\.self) { await sendNew(of: log) }
  }

  private func sendNew(of log: FollowedLog) async {
    do {
      try await log.passNew { event, asked in try await send(event, asked: asked) }
    } catch is CancellationError {
    } catch {
      logger.warning("cannot read the log for the journal", metadata: ["error": "\(error)"])
    }
  }

  private func send(_ event: ChainedEvent, asked: JournalEntry.Asked?) async throws {
    let brief = JournalEntry(event, asked: asked)
    var entry = brief
    if hasTexts { entry.add("ROUTER_DETAIL", event.event.detail.description) }
    var error = try await send(entry)
    if error == EMSGSIZE, hasTexts { error = try await send(brief) }
    let isFirstLoss = state.withLock { state in
      if error == 0 { state.counts.sent += 1 } else { state.counts.lost += 1 }
      return error != 0 && state.counts.lost == 1
    }
    guard isFirstLoss else { return }
    logger.warning(
      "cannot send an event to the journal; /metrics counts these",
      metadata: ["error": "\(String(cString: strerror(error)))"])
  }

  /// Returns an error number, or 0 on success.
  private func send(_ entry: JournalEntry) async throws -> CInt {
    var tries = state.withLock(\.isStuck) ? 1 : Self.tries
    while true {
      let error = entry.bytes.withUnsafeBytes(socket.send)
      tries -= 1
      guard error == EAGAIN, tries > 0 else {
        state.withLock { $0.isStuck = error == EAGAIN }
        return error
      }
      try await PresentationClock.system.sleep(for: .milliseconds(5))
    }
  }
}

/// A log with events for the journal, and the position reached so far.
private final class FollowedLog: Sendable {
  private struct State {
    /// The number of the last sent event.
    var seq: Int64
    var asked: [PresentationID: JournalEntry.Asked] = [:]
  }

  /// The maximum number of requests with facts in memory; other facts are read again.
  private static let capacity = 10_000

  let commits: AsyncStream<Void>
  private let reader: AuditReader
  private let state: Mutex<State>

  init(_ log: AuditLog) async throws {
    // Subscribes first, so that no commit is missed.
    commits = log.commits()
    reader = try AuditReader(log)
    state = Mutex(State(seq: try await reader.lastSeq()))
  }

  /// Passes on the new events with the facts of their requests.
  func passNew(to body: (ChainedEvent, JournalEntry.Asked?) async throws -> Void) async throws {
    _ = try await reader.passEvents(after: state.withLock(\.seq)) { page in
      for event in page {
        try Task.checkCancellation()
        try await body(event, try await asked(event.event))
        state.withLock { $0.seq = event.event.seq }
      }
    }
  }

  /// Returns the facts of an event's request; `nil` if it has none, or if it was pruned.
  private func asked(_ event: AuditEvent) async throws -> JournalEntry.Asked? {
    guard let id = event.presentation else { return nil }
    if let known = state.withLock({ $0.asked[id] }) { return known }
    guard let presentation = try await reader.presentation(id) else { return nil }
    let asked = JournalEntry.Asked(presentation.requester, presentation.request)
    state.withLock { state in
      if state.asked.count == Self.capacity { state.asked = [:] }
      state.asked[id] = asked
    }
    return asked
  }
}
