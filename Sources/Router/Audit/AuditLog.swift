/// The audit log's writer: appends events durably and in order, in one transaction when several batches wait. A second writer on
/// the same file is refused.
public final class AuditLog: Sendable {
  /// What "on record" means.
  public enum Durability: String, Sendable, Hashable, CaseIterable {
    /// It survives a power cut (`synchronous=FULL`).
    case full
    /// It survives a crash of the program; a power cut may cost the last moments (`synchronous=NORMAL`).
    case relaxed
  }

  /// Called once with an append's result, in order: on the log's thread, or on the appender's for a log in memory.
  package typealias Completion = @Sendable (Result<Void, RouterError>) -> Void

  struct Batch: Sendable {
    let entries: [AuditEntry]
    let completion: Completion
  }

  private struct Reader: Sendable {
    weak let connection: AuditReaderConnection?
  }

  struct Queue {
    var waiting: [Batch] = []
    /// Whether the log's thread is writing, or about to.
    var isScheduled = false
    /// Whether what nobody waits for will be written after ``lazyDelay``.
    var isTimed = false
    /// Why nothing is written until ``retry()``.
    var failure: RouterError?
    /// Whether the disk has yet to show that it can be written again.
    var isOnTrial = false
  }

  static let lazyDelay = Duration.seconds(1)

  /// The database's path; `:memory:` for one that goes with this object.
  public let path: String
  public let durability: Durability
  private let clock: PresentationClock
  private let writer: Mutex<AuditWriter>
  let executor: ThreadExecutor?
  private let checkpointer: AuditCheckpointer?
  private let lock: DatabaseLock?
  let queue = Mutex(Queue())
  private let readers = Mutex<[Reader]>([])
  let commitSignal = Broadcast<Void>()

  /// Opens a database, or makes it (mode 0600).
  ///
  /// - Throws: ``RouterError`` if it is in use, of another program or version, damaged, or cannot be opened.
  public init(path: String, durability: Durability = .full, clock: PresentationClock = .system) throws {
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
    executor = isInMemory ? nil : ThreadExecutor()
    checkpointer = isInMemory ? nil : AuditCheckpointer(path: path)
    if let checkpointer {
      try withWriter { try $0.connection.leaveCheckpoints { [checkpointer] in checkpointer.grown(to: $0) } }
    }
  }

  /// Whether a log is open on a file now, in this process or another.
  public static func isInUse(path: String) -> Bool { DatabaseLock.isHeld(of: path) }

  /// A log in memory, gone with this object. It commits on the thread that appends.
  public static func inMemory() throws -> AuditLog { try AuditLog(path: ":memory:") }

  var isInMemory: Bool { executor == nil }

  /// Records entries durably, after everything that was appended before.
  ///
  /// After a failure, everything fails up to the next ``retry()``: events that were decided after one that is not on record must
  /// not be on record either.
  package func append(_ entries: [AuditEntry], completion: @escaping Completion) {
    let batch = Batch(entries: entries, completion: completion)
    guard let executor else { return commitNow([batch]) }
    let mustSchedule = queue.withLock { queue in
      queue.waiting.append(batch)
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    if mustSchedule { executor.perform { self.drain() } }
  }

  package func append(_ entries: [AuditEntry]) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      append(entries) { continuation.resume(with: $0.mapError { $0 }) }
    }
  }

  /// Records entries that nobody waits for: with the next commit, or after ``lazyDelay``, and before the log is closed, pruned or
  /// backed up. They are lost if the process dies before. A log in memory records them at once.
  func appendLazily(_ entries: [AuditEntry], completion: @escaping Completion = { _ in }) {
    let batch = Batch(entries: entries, completion: completion)
    if isInMemory { return commitNow([batch]) }
    let mustTime = queue.withLock { queue in
      queue.waiting.append(batch)
      guard !queue.isScheduled, !queue.isTimed else { return false }
      queue.isTimed = true
      return true
    }
    guard mustTime else { return }
    // Ends after the delay. It does not keep the log, so that its file can be opened again at once.
    Task { [weak self, clock] in
      try? await clock.sleep(for: Self.lazyDelay)
      self?.queue.withLock { $0.isTimed = false }
      self?.flush()
    }
  }

  func flush() {
    let mustSchedule = queue.withLock { queue in
      guard !queue.isScheduled, !queue.waiting.isEmpty else { return false }
      queue.isScheduled = true
      return true
    }
    if mustSchedule { executor?.perform { self.drain() } }
  }

  /// Allows writing again after a failure. If the disk still fails, so does the next append, even one without entries.
  package func retry() {
    queue.withLock { queue in
      queue.failure = nil
      queue.isOnTrial = true
    }
  }

  /// Writes what waits and closes the database, also for the readers made of this log. What is appended or read later fails.
  /// Unless another process has the file open, its write-ahead log is gone then.
  public func close() async {
    await finishWriting()
    await checkpointer?.end()
    // The writer comes last: a connection that only reads leaves the write-ahead log where it is.
    for reader in readers.withLock(\.self) { await reader.connection?.close() }
    withWriter { $0.connection.close() }
  }

  func finishWriting() async {
    await withCheckedContinuation { continuation in turn { continuation.resume() } }
  }

  package func turn(_ body: @escaping @Sendable () -> Void) {
    flush()
    if let executor { executor.perform(body) } else { body() }
  }

  /// A connection that reads what this log writes, and is closed with it.
  func readerConnection() throws -> AuditReaderConnection {
    let connection = try AuditReaderConnection(path: path)
    readers.withLock { readers in
      readers.removeAll { $0.connection == nil }
      readers.append(Reader(connection: connection))
    }
    return connection
  }

  /// A signal for each commit, until nobody listens; signals that nobody has taken yet become one.
  public func commits() -> AsyncStream<Void> { commitSignal.listen(buffering: .bufferingNewest(1)) }

  var failure: RouterError? { queue.withLock(\.failure) }

  func withWriter<Result: Sendable, Failure: Error>(
    _ body: (inout AuditWriter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try writer.withLock { (writer) throws(Failure) in try body(&writer) }
  }

  /// Finishes a checkpoint, so that the write-ahead log starts over in place and a flush writes no new length.
  func finishCheckpoint() {
    guard let checkpointer, checkpointer.takeRest() else { return }
    withWriter { try? $0.connection.checkpoint() }
  }
}
