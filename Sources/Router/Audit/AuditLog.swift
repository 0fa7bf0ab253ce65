/// The audit log's writing side: appends events durably, in the order given, many in one transaction when many wait.
///
/// There is one for each database file; a second one, in this process or another, is refused.
public final class AuditLog: Sendable {
  /// What "on record" means.
  public enum Durability: String, Sendable, Hashable, CaseIterable {
    /// It survives a power cut (`synchronous=FULL`).
    case full
    /// It survives a crash of the program; a power cut may cost the last moments (`synchronous=NORMAL`).
    case relaxed
  }

  /// Called once with what became of an append, on the writer's thread and in the order of the appends.
  public typealias Completion = @Sendable (Result<Void, RouterError>) -> Void

  private struct Batch: Sendable {
    let entries: [AuditEntry]
    /// `nil` where it was told already.
    let completion: Completion?
  }

  /// One that reads through this process.
  private struct Reader: Sendable {
    weak let connection: AuditReaderConnection?
  }

  private struct Queue {
    var waiting: [Batch] = []
    /// How many have yet to be told what became of theirs.
    var untold = 0
    var isScheduled = false
    /// Whether what is not urgent will be written after its time.
    var isTimed = false
    /// Why nothing is written until ``retry()``.
    var failure: RouterError?
    /// Whether the disk has yet to show that it can be written again.
    var isOnTrial = false
  }

  /// The database's path; `:memory:` for one that goes with this object.
  public let path: String
  public let durability: Durability
  let isInMemory: Bool
  let writer: AuditWriter
  private let lock: FileLock?
  private let queue = Mutex(Queue())
  private let readers = Mutex<[Reader]>([])
  private let bell = CommitBell()
  private let warning: @Sendable (RouterError) -> Void

  /// Opens a database, or makes it (mode 0600).
  ///
  /// - Parameters:
  ///   - migrating: Called before a database of an earlier version is brought up to date, which may take a while and happens
  ///     whole or not at all.
  ///   - warning: Called on the writer's thread when what the log is queried by cannot be written for now: queries take longer,
  ///     and nothing is missing from them.
  /// - Throws: ``RouterError`` if it is in use, of another program, newer, damaged, or cannot be opened.
  public init(
    path: String, durability: Durability = .full, migrating: @escaping @Sendable (AuditMigration) -> Void = { _ in },
    warning: @escaping @Sendable (RouterError) -> Void = { _ in }
  ) throws {
    self.path = path
    self.warning = warning
    self.durability = durability
    isInMemory = path == ":memory:"
    do {
      if !isInMemory { try FileLock.createPrivately(path) }
      lock = isInMemory ? nil : try FileLock(path: path + ".lock", for: "the database \(path)")
      writer = try AuditWriter(path: path, durability: durability, migrating: migrating)
    } catch let error as SQLiteError {
      throw RouterError(.database, "cannot open the database \(path): \(error.reason)", cause: error)
    } catch let error as JSONError {
      throw RouterError(
        .database, "cannot bring the database \(path) up to date: a row is damaged; nothing was changed", cause: error)
    }
  }

  /// Whether a log is open on a file now, in this process or another.
  public static func isInUse(path: String) -> Bool { FileLock.isHeld(path + ".lock") }

  /// A log in memory, gone with this object: for tests, and for those who want none.
  ///
  /// What is appended is on record at once, since nothing makes it more durable; it is written with what comes after it, and
  /// before anybody reads.
  public static func inMemory() throws -> AuditLog { try AuditLog(path: ":memory:") }

  /// Records entries durably, after all that was appended before and with it where it still waits.
  ///
  /// After a failure everything fails that was appended up to the next ``retry()``: what was decided after an event that
  /// is not on record must not be on record either.
  public func append(_ entries: [AuditEntry], completion: @escaping Completion) {
    if enqueue(entries, completion) { flushInTime() } else { flush() }
  }

  /// Records entries that nobody waits for: with the next that somebody does wait for, or after ``companyTime``. A commit of their
  /// own would hold up whoever comes next.
  ///
  /// They are lost with this object where it goes away before.
  func appendInCompany(_ entries: [AuditEntry], completion: @escaping Completion) {
    _ = enqueue(entries, completion)
    flushInTime()
  }

  /// Puts entries last.
  ///
  /// - Returns: Whether they are on record already, as they are in memory unless something could not be written before.
  private func enqueue(_ entries: [AuditEntry], _ completion: @escaping Completion) -> Bool {
    let isRecorded = queue.withLock { queue in
      // The words come in the order of the appends: nobody is told before one who came earlier.
      let isRecorded =
        isInMemory && queue.failure == nil && !queue.isOnTrial && queue.untold == 0
        && queue.waiting.count < Self.maximumUnwritten
      if !isRecorded { queue.untold += 1 }
      queue.waiting.append(Batch(entries: entries, completion: isRecorded ? nil : completion))
      return isRecorded
    }
    if isRecorded { completion(.success(())) }
    return isRecorded
  }

  /// How long what nobody waits for may wait for company.
  static let companyTime = Duration.milliseconds(50)
  /// How many appends to a log in memory may be on record and not written.
  static let maximumUnwritten = 1024

  /// Has what waits written after ``companyTime``, unless something that is urgent takes it along.
  private func flushInTime() {
    let mustTime = queue.withLock { queue in
      guard !queue.isScheduled, !queue.isTimed else { return false }
      queue.isTimed = true
      return true
    }
    guard mustTime else { return }
    // Ends after its time. It does not keep the log, or a file could not be opened again at once.
    Task { [weak self] in
      try? await BootTimer.shared.sleep(until: BootTimer.now + Self.companyTime)
      self?.queue.withLock { $0.isTimed = false }
      self?.flush()
    }
  }

  /// Has what waits written, if there is any and nobody is at it.
  func flush() {
    let mustSchedule = queue.withLock { queue in
      guard !queue.isScheduled, !queue.waiting.isEmpty else { return false }
      queue.isScheduled = true
      return true
    }
    if mustSchedule { writer.schedule { writer in self.drain(on: writer) } }
  }

  /// Records entries durably and waits for it.
  public func append(_ entries: [AuditEntry]) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      append(entries) { continuation.resume(with: $0.mapError { $0 }) }
    }
  }

  /// Lets writing be tried again after a failure. What is appended next fails too if nothing can be written, even if it has
  /// no entries.
  public func retry() {
    queue.withLock { queue in
      queue.failure = nil
      queue.isOnTrial = true
    }
  }

  /// Writes what waits and closes the database, also for the readers made of this log. Its write-ahead log is in its file then
  /// and gone, unless another process has it open.
  ///
  /// What is appended or read later fails. Without this, the database is closed when the log and its readers go away.
  public func close() async {
    await withCheckedContinuation { continuation in turn { continuation.resume() } }
    try? await index()
    await writer.endCheckpoints()
    // The writer is the last: who only reads leaves the write-ahead log where it is.
    for reader in readers.withLock(\.self) { await reader.connection?.close() }
    await writer.close()
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

  /// A signal for each time that something has come to be on record, until nobody listens; signals that nobody has taken yet
  /// become one.
  public func commits() -> AsyncStream<Void> { bell.listen() }

  /// Why nothing is written now, if so.
  var failure: RouterError? { queue.withLock(\.failure) }

  /// Tells who listens that something was recorded by another way than ``append(_:)``.
  func ring() { bell.ring() }

  /// Calls the body on the writer's thread, after all that was appended before, whether or not it could be written.
  func turn(_ body: @escaping @Sendable () -> Void) {
    flush()
    writer.schedule { _ in body() }
  }

  /// Writes what waits, and what came to wait meanwhile, one transaction after the other.
  private func drain(on writer: isolated AuditWriter) {
    while true {
      let (batches, failure, isOnTrial) = queue.withLock { queue in
        defer { queue.waiting = [] }
        if queue.waiting.isEmpty { queue.isScheduled = false }
        return (queue.waiting, queue.failure, queue.isOnTrial)
      }
      if batches.isEmpty { return }
      let result = failure.map(Result.failure) ?? Self.commit(batches, isOnTrial: isOnTrial, on: writer)
      if failure == nil, case .success = result { queue.withLock { $0.isOnTrial = false } }
      if failure == nil, case .failure(let error) = result { queue.withLock { $0.failure = error } }
      for batch in batches { batch.completion?(result) }
      queue.withLock { $0.untold -= batches.count { $0.completion != nil } }
      if case .success = result { bell.ring() }
      writer.finishCheckpoint()
      if case .success = result { index(on: writer) }
    }
  }

  /// Writes what the log is queried by, where enough has ended; nobody waits for it.
  private func index(on writer: isolated AuditWriter) {
    do {
      try writer.indexWhatIsDue()
    } catch {
      warning(Self.indexingError(error))
    }
  }

  /// Writes what the log is queried by for all that has ended and is on record. It is done now and then in any case; until then
  /// queries find the same, and who reads the tables with another tool finds it in `fresh`.
  ///
  /// - Throws: ``RouterError`` with the code `database` if it cannot be written; nothing is missing then either.
  package func index() async throws {
    flush()
    do { try await writer.indexAll() } catch { throw Self.indexingError(error) }
  }

  private static func indexingError(_ error: any Error) -> RouterError {
    RouterError(.database, "cannot write what the log is queried by; queries take longer, and miss nothing", cause: error)
  }

  private static func commit(
    _ batches: [Batch], isOnTrial: Bool, on writer: isolated AuditWriter
  ) -> Result<Void, RouterError> {
    do {
      if isOnTrial { try writer.prove() }
      try writer.commit(batches.lazy.flatMap(\.entries))
      return .success(())
    } catch {
      // Nothing of it may come on record by a crash: who waits for it hears that nothing was changed.
      try? writer.prove()
      return .failure(
        RouterError(.logUnavailable, "cannot write the audit log; nothing was changed", retryAfter: .seconds(1), cause: error))
    }
  }
}
