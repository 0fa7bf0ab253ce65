package import RouterCore
package import RouterSystem

/// The writer of the audit log. Appends events durably and in order, and commits waiting batches in one transaction. A
/// second writer on the same file is refused.
public final class AuditLog: Sendable {
  /// The guarantee that a completed append gives.
  public enum Durability: String, Sendable, Hashable, CaseIterable {
    /// The event survives a power failure (`synchronous=FULL`).
    case full
    /// The event survives a crash of the process; a power failure can lose the last moments (`synchronous=NORMAL`).
    case relaxed
  }

  /// The source of an append's events.
  package enum Source: Sendable, Hashable {
    /// The rules, based on the state after all earlier appends.
    case rules
    /// A requester of this machine, for its own ended presentation.
    case requester
    /// Another host of a shared surface, for its own requesters.
    case host(String)
  }

  package enum AppendResult: Sendable {
    /// Recorded; the number of the last event so far.
    case recorded(Int64)
    /// Rejected, because the events of a requester or host are invalid in the recorded state. No other events depend on them.
    case refused(FoldError)
    /// Not recorded. All appends fail until ``AuditLog/retry()``.
    case failed(RouterError)

    package func get() throws {
      switch self {
      case .recorded: break
      case .refused(let error): throw error
      case .failed(let error): throw error
      }
    }
  }

  /// Called once with the result of an append, in order: on the log's thread, or on the caller's for an in-memory log.
  package typealias Completion = @Sendable (AppendResult) -> Void

  /// Events to record in one transaction.
  package struct Append: Sendable {
    package fileprivate(set) var events: [Event]
    package let source: Source
    /// The reply to the host's input that caused the events. Recorded with them, or with the rejection of a report.
    package let inbox: InboxReply?
    /// Whether no caller waits for the record. The events are then written with the next commit, after ``lazyDelay``, or before
    /// the log is closed, pruned or backed up, and are lost if the process dies first. An in-memory log records them
    /// immediately.
    package let isLazy: Bool

    package init(_ events: [Event], from source: Source = .rules, inbox: InboxReply? = nil, isLazy: Bool = false) {
      (self.events, self.source, self.inbox, self.isLazy) = (events, source, inbox, isLazy)
    }
  }

  struct Waiting: Sendable {
    let append: Append
    let completion: Completion
    /// The value of ``Queue/retries`` when it was appended.
    var retries = 0
  }

  private struct Reader: Sendable {
    weak let connection: AuditReaderConnection?
  }

  struct Queue {
    var waiting: [Waiting] = []
    /// Whether a drain is running or scheduled.
    var isScheduled = false
    /// Whether a flush of the lazy events is scheduled after ``lazyDelay``.
    var isTimed = false
    /// The failure that blocks all writes until ``retry()``.
    var failure: RouterError?
    /// The number of times that writes were allowed again. An earlier batch depends on unrecorded events.
    var retries = 0
    /// Whether the next commit must first check that the disk is writable again.
    var isOnTrial = false
    /// Whether the last commit reached the primary log but not this copy.
    var isBehind = false
    var rows = RowState.complete

    fileprivate mutating func add(_ append: Append, _ completion: @escaping Completion) {
      waiting.append(Waiting(append: append, completion: completion, retries: retries))
    }
  }

  /// The maximum time that rows may lack committed events, unless many presentations end. `ROUTER_ROWS_DELAY` changes the
  /// milliseconds, for `Benchmarks/instructions`: under valgrind, 50 ms are over before a batch is full.
  static let projectionDelay = Duration.milliseconds(environmentVariable("ROUTER_ROWS_DELAY").flatMap { Int($0) } ?? 50)
  package static let lazyDelay = Duration.seconds(1)

  /// The path of the database; `:memory:` for an in-memory log, which is lost with this object.
  public let path: String
  public let durability: Durability
  let clock: PresentationClock
  private let startThread: StartThread
  private let writer: Mutex<AuditWriter>
  let executor: (any WorkThread)?
  private let checkpointer: AuditCheckpointer?
  private let lock: DatabaseLock?
  let queue = Mutex(Queue())
  private let readers = Mutex<[Reader]>([])
  let commitSignal = Broadcast<Void>()
  /// The log that this one copies; `nil` if there is no other.
  let primary: (any PrimaryLog)?

  /// Opens a database, or creates it with mode 0600.
  ///
  /// - Throws: ``RouterError`` if the database is in use, belongs to another program or version, is damaged or cannot
  ///   be opened.
  public convenience init(path: String, durability: Durability = .full) throws {
    try self.init(path: path, durability: durability, clock: .system)
  }

  /// - Parameters:
  ///   - primary: The log to write first, if this is a copy.
  ///   - startThread: Starts the threads of the writer, of checkpoints and of each reader.
  package init(
    path: String, durability: Durability = .full, clock: PresentationClock, primary: (any PrimaryLog)? = nil,
    startThread: @escaping StartThread = { () throws(RouterError) in try ThreadExecutor() }
  ) throws {
    self.startThread = startThread
    self.primary = primary
    self.path = path
    self.durability = durability
    self.clock = clock
    let isInMemory = path == ":memory:"
    do {
      lock = isInMemory ? nil : try DatabaseLock(database: path)
      writer = Mutex(try AuditWriter(path: path, durability: durability))
    } catch let error as SQLiteError {
      throw RouterError(.database, "cannot open the database \(path): \(error.reason)", cause: error)
    } catch let error as JSONError {
      throw RouterError(.database, "cannot open the database \(path): it is damaged", cause: error)
    }
    executor = isInMemory ? nil : try startThread()
    checkpointer = isInMemory ? nil : AuditCheckpointer(path: path, executor: try startThread())
    // Rows are missing if the last process was killed.
    projectNow()
    if let checkpointer {
      try withWriter { try $0.connection.leaveCheckpoints { [checkpointer] in checkpointer.grown(to: $0) } }
    }
  }

  /// Whether any process, including this one, has a log open on the file.
  package static func isInUse(path: String) -> Bool { DatabaseLock.isHeld(of: path) }

  /// Creates an in-memory log, which is lost with this object. Commits on the thread that appends. Throws ``RouterError`` with
  /// the code `database` if SQLite refuses.
  public static func inMemory() throws -> AuditLog { try AuditLog(path: ":memory:") }

  var isInMemory: Bool { executor == nil }

  /// Appends events durably, after all events appended before.
  ///
  /// After a failure, every append fails until ``retry()``: an event must not be recorded without the events that it depends
  /// on.
  package func append(_ append: Append, completion: @escaping Completion) {
    var append = append
    // A sensitive answer must not reach the log's thread, whose stack would retain it.
    if append.events.contains(where: \.hasSecret) { append.events = append.events.map(\.withoutSecret) }
    guard let executor else { return commitNow([Waiting(append: append, completion: completion)]) }
    if append.isLazy { return appendLazily(append, completion) }
    let mustSchedule = queue.withLock { queue in
      queue.add(append, completion)
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    if mustSchedule { executor.perform { self.drain() } }
  }

  package func append(_ events: [Event]) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      append(Append(events)) { result in continuation.resume(with: Result { try result.get() }) }
    }
  }

  private func appendLazily(_ append: Append, _ completion: @escaping Completion) {
    let mustTime = queue.withLock { queue in
      queue.add(append, completion)
      guard !queue.isScheduled, !queue.isTimed else { return false }
      queue.isTimed = true
      return true
    }
    guard mustTime else { return }
    // Ends after the delay. The weak reference lets the log close, so that its file can be reopened immediately. Runs on the
    // log's thread, since libdispatch blocks its caller when no thread can start.
    Task(executorPreference: executor) { [weak self, clock] in
      try? await clock.sleep(for: Self.lazyDelay)
      self?.queue.withLock { $0.isTimed = false }
      self?.flush()
    }
  }

  package func flush() {
    let mustSchedule = queue.withLock { queue in
      guard !queue.isScheduled, !queue.waiting.isEmpty else { return false }
      queue.isScheduled = true
      return true
    }
    if mustSchedule { executor?.perform { self.drain() } }
  }

  /// Allows writes again after a failure. If the disk still fails, so does the next append, even an empty one.
  package func retry() {
    queue.withLock { queue in
      queue.failure = nil
      queue.retries += 1
      queue.isOnTrial = true
    }
  }

  /// Commits waiting batches and closes the database and the connections of this log's readers. Later appends and reads fail.
  /// Deletes the write-ahead log unless another process has the file open. Ignores cancellation of the task.
  public func close() async {
    await finishWriting()
    await checkpointer?.end()
    // The writer closes last: a read-only connection does not delete the write-ahead log.
    for reader in readers.withLock(\.self) { await reader.connection?.close() }
    withWriter { $0.connection.close() }
    // Other code may still refer to this object.
    lock?.release()
  }

  /// Commits waiting batches and writes their rows.
  func finishWriting() async {
    await withCheckedContinuation { continuation in
      afterCommits {
        self.projectNow()
        continuation.resume()
      }
    }
  }

  package func afterCommits(_ body: @escaping @Sendable () -> Void) {
    flush()
    if let executor { executor.perform(body) } else { body() }
  }

  /// Opens a read-only connection to this log's file, which closes with the log.
  func readerConnection() throws -> AuditReaderConnection {
    let connection = try AuditReaderConnection(path: path, executor: startThread(), isLive: true)
    readers.withLock { readers in
      readers.removeAll { $0.connection == nil }
      readers.append(Reader(connection: connection))
    }
    return connection
  }

  /// Returns a stream with an element for each commit; pending elements are coalesced into one.
  package func commits() -> AsyncStream<Void> { commitSignal.listen(buffering: .bufferingNewest(1)) }

  var failure: RouterError? { queue.withLock(\.failure) }

  func withWriter<Result: Sendable, Failure: Error>(
    _ body: (inout AuditWriter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try writer.withLock { (writer) throws(Failure) in try body(&writer) }
  }

  /// Completes a checkpoint, so that the write-ahead log restarts from its beginning and a sync does not have to store
  /// a new file length.
  func finishCheckpoint() {
    guard let checkpointer, checkpointer.takeRest() else { return }
    withWriter { try? $0.connection.checkpoint() }
  }
}

extension AuditLog.Durability: JSONName {
  package static var schemaName: String? { "Durability" }
  package static var about: String {
    "What recorded data survives. full: a power cut. relaxed: a crash of the daemon."
  }
}
