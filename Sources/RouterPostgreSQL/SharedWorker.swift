#if PostgreSQL
import Glibc
import Logging
import Router

/// The thread that accesses the database: it sends this host's inputs, copies recorded events, reads the inbox of the surfaces
/// that this host leads, and takes over surfaces without a leader.
final class SharedWorker {
  let configuration: SharedDatabase.Configuration
  let logger: Logger
  private let pipe: WakePipe
  /// Distinguishes this start of the daemon from earlier ones.
  let process = Int64.random(in: 1...Int64.max)
  private(set) var surfaces: [String: Surface] = [:]
  private(set) var connection: PostgreSQLConnection?
  private var notifications: Notifications?
  private var isWithoutNotifications = false
  private(set) var connectedAt = Duration.zero
  private(set) var mayLead = false
  /// The offset of this host's clock from the database's; positive if ahead.
  var clockOffset = Duration.zero
  /// The time of the database's last answer.
  private var lastContact: Duration
  private var nextBeat = Duration.zero
  private var lastBeat = Duration.zero
  private var nextAttempt = Duration.zero
  /// The time of the next poll, in place of unreliable notifications.
  private var nextLook: Duration?
  /// Whether the server's queue of notifications (8 MB) is filling up, so that notifications may be late or missing.
  var isQueueFilling = false
  /// Whether the database rejects further inputs of this host.
  var isInboxFull = false
  /// Whether more work is pending.
  private var hasMore = false
  private var lastFailure: String?
  /// The times at which hosts disconnected.
  var goneSince: [String: Duration] = [:]
  /// Called after the next attempt to reach the database.
  private var joined: [@Sendable () -> Void] = []
  private var stopping: (@Sendable () -> Void)?

  init(_ configuration: SharedDatabase.Configuration, pipe: WakePipe, logger: Logger) {
    self.configuration = configuration
    self.pipe = pipe
    self.logger = logger
    lastContact = PresentationClock.system.now()
  }

  /// The surfaces, by name.
  var ordered: [Surface] { surfaces.values.sorted { $0.name < $1.name } }

  var now: Duration { PresentationClock.system.now() }
  var interval: Duration { configuration.silence / 10 }
  /// Whether the clock is close to the database's. Leaders compare recorded times with their own clock.
  var isClockRight: Bool { abs(clockOffset.milliseconds) <= Self.largestClockOffset.milliseconds }
  static let largestClockOffset = Duration.seconds(5)

  /// Works until ``stop(_:)``.
  func run(_ take: () -> [SharedDatabase.Command]) {
    while true {
      for command in take() { command(self) }
      work()
      for done in joined { done() }
      joined = []
      if let stopping {
        leave()
        return stopping()
      }
      wait()
    }
  }

  // MARK: Commands

  func add(
    _ name: String, _ coordinator: PresentationCoordinator, _ log: AuditLog, _ primary: SharedLog,
    then done: @escaping @Sendable () -> Void
  ) {
    joined.append(done)
    surfaces[name] = Surface(name, coordinator, log, primary, after: surfaces[name])
    (nextBeat, nextAttempt) = (.zero, .zero)
  }

  func send(_ input: SharedInput, number: Int, on name: String) {
    guard let surface = surfaces[name] else { return }
    let row = InboxText(input)
    guard row.text.utf8.count <= InboxText.maximumBytes else {
      let error = RouterError(.impossible, "cannot send this to the leader of a shared surface: it has more than 4 MiB")
      return surface.coordinator.send { $0.replied(to: number, SharedReply(error)) }
    }
    var time = Duration.zero
    // No caller waits for the record of a delivery.
    if case .record(let event) = input, event.detail == .delivered { time = now + AuditLog.lazyDelay }
    surface.send(row, number: number, at: time)
  }

  func report(_ progress: PresentationProgress?, of id: PresentationID, on name: String) {
    surfaces[name]?.progress[id] = .some(progress)
  }

  func committed(on name: String) { surfaces[name]?.hasNews = true }

  func recorded(_ row: Int64, on name: String) { surfaces[name]?.recorded(row) }

  func steppedDown(on name: String) {
    surfaces[name]?.steppedDown()
    nextBeat = now + interval
  }

  func stop(_ done: @escaping @Sendable () -> Void) { stopping = done }

  // MARK: Working

  /// Does the pending work. Reconnects later if the connection is lost.
  private func work() {
    hasMore = false
    // Applies also after this process was stopped, when the connection still works but another host leads.
    if now - lastContact > configuration.silence {
      for surface in surfaces.values { surface.coordinator.send { $0.disconnected() } }
    }
    do {
      guard let connection = try connected() else { return }
      // Detects a closed connection.
      _ = try connection.notifications()
      takeNotifications()
      // Polls everything, since a lost connection on either side can lose a notification.
      if nextBeat <= now { lookForAll() }
      try sendInputs(connection)
      try follow(ordered, connection)
      for surface in ordered { try exchangeProgress(surface, connection) }
      if nextBeat <= now {
        if notifications == nil { openNotifications() }
        try beat(connection)
        lastBeat = now
        nextBeat = now + interval
      }
      try takeInputs(connection)
      tellNews()
      // Notifications that arrived with query results have already been read from the socket, so waiting for the socket would
      // miss them.
      let hasNotifications = takeNotifications()
      hasMore =
        hasNotifications || surfaces.values.contains { $0.isLeading && $0.mayHave.contains(.inputs) || $0.sendAt == .zero }
      lastContact = now
      if lastFailure != nil { logger.notice("the shared surfaces can be used again") }
      lastFailure = nil
    } catch let error as PostgreSQLError where error.isDisconnection {
      report(error)
      (connection, notifications) = (nil, nil)
      nextAttempt = now + ConnectionPool.retryDelay
    } catch {
      report(error)
      nextBeat = now + interval
    }
  }

  /// Logs an error, unless it equals the last one.
  func report(_ error: any Error, after last: String?) {
    if "\(error)" != last { logger.error("cannot use a shared surface", metadata: ["error": "\(error)"]) }
  }

  private func report(_ error: any Error) {
    report(error, after: lastFailure)
    lastFailure = "\(error)"
  }

  /// Returns the connection, connecting again if it is due; `nil` if it is not.
  private func connected() throws -> PostgreSQLConnection? {
    if let connection { return connection }
    guard nextAttempt <= now else { return nil }
    nextAttempt = now + ConnectionPool.retryDelay
    let connection = try PostgreSQLConnection(configuration.url, timeout: configuration.silence)
    let own = try connection.query(
      """
      SELECT name, process, router.is_gone(name), pg_has_role(session_user, 'router_leader', 'MEMBER')
      FROM router.hosts WHERE role = session_user
      """
    ).first
    guard let own, own[0] == configuration.host else {
      throw RouterError(
        .forbidden, "cannot join as \(configuration.host): the database knows its role as \(own?[0] ?? "no host")")
    }
    guard own[2] == "t" || own[1] == "\(process)" else {
      throw RouterError(.forbidden, "cannot join as \(configuration.host): another daemon has joined with this name")
    }
    mayLead = own[3] == "t"
    try connection.query("SELECT router.enter($1)", ["\(process)"])
    openNotifications()
    for surface in surfaces.values { surface.connected() }
    self.connection = connection
    (connectedAt, nextBeat, goneSince) = (now, .zero, [:])
    return connection
  }

  // MARK: Notifications

  /// Connects for notifications; after a failure, with the next beat.
  private func openNotifications() {
    do {
      notifications = try Notifications(configuration.url, timeout: configuration.silence)
      isWithoutNotifications = false
      announce(surfaces.keys.flatMap { name in News.allCases.map { $0.of(name) } })
    } catch {
      lost(error)
    }
  }

  /// Continues without notifications.
  private func lost(_ error: PostgreSQLError) {
    if !isWithoutNotifications {
      logger.warning("cannot receive notifications of the shared surfaces", metadata: ["error": "\(error)"])
    }
    isWithoutNotifications = true
    notifications = nil
    nextBeat = min(nextBeat, now + ConnectionPool.retryDelay)
  }

  /// Handles other hosts' announcements, or polls every 50 ms while they are unreliable. Returns whether there is news.
  @discardableResult
  private func takeNotifications() -> Bool {
    var payloads: Set<String> = []
    do { payloads = try notifications?.take() ?? [] } catch { lost(error) }
    for payload in payloads { notified(payload) }
    guard isQueueFilling || notifications?.isUnreliable != false else {
      nextLook = nil
      return !payloads.isEmpty
    }
    guard nextLook.map({ $0 <= now }) ?? true else { return false }
    nextLook = now + .milliseconds(50)
    lookForAll()
    return true
  }

  private func lookForAll() {
    for surface in surfaces.values { surface.mayHave = Set(News.allCases) }
  }

  private func notified(_ payload: String) {
    guard let surface = surfaces[String(payload.dropFirst())] else { return }
    if let news = News(rawValue: String(payload.prefix(1))) { surface.mayHave.insert(news) }
    if payload.begins(with: "l") { nextBeat = min(nextBeat, lastBeat + .milliseconds(20)) }
  }

  /// Announces news, in a separate statement: `NOTIFY` in a transaction would serialize commits.
  func announce(_ payloads: [String]) {
    guard !payloads.isEmpty else { return }
    do { try notifications?.send(payloads) } catch { lost(error) }
  }

  private func tellNews() {
    let told = ordered.filter(\.hasNews)
    for surface in told { surface.hasNews = false }
    announce(told.map { News.events.of($0.name) })
  }

  /// Announces to the other hosts that this one leaves.
  private func leave() {
    guard let connection else { return }
    for surface in surfaces.values where !surface.isLeading {
      surface.send(InboxText(.restarted), number: Int(Int32.max), at: .zero)
    }
    do {
      try sendInputs(connection)
      try connection.query(
        "SELECT router.renew($1, '-1 second')",
        [surfaces.filter(\.value.isLeading).keys.map { Optional($0) }.arrayLiteral])
      announce(surfaces.keys.flatMap { [News.events.of($0), "l" + $0] })
      try notifications?.finish()
    } catch {
      report(error)
    }
    (self.connection, notifications) = (nil, nil)
  }

  /// Waits for a command, a notification or the next beat.
  private func wait() {
    if hasMore { return }
    let end =
      if connection == nil { nextAttempt } else if lastFailure != nil { nextBeat } else {
        surfaces.values.flatMap { [$0.showAt, $0.sendAt] }.compactMap(\.self).reduce(min(nextBeat, nextLook ?? nextBeat), min)
      }
    let milliseconds = max(0, (end - now).milliseconds + 1)
    var descriptors = [pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
    for descriptor in [connection?.descriptor, notifications?.descriptor].compactMap(\.self) {
      descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    poll(&descriptors, nfds_t(descriptors.count), CInt(clamping: milliseconds))
    guard descriptors[0].revents != 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    _ = read(pipe.readEnd, &bytes, bytes.count)
  }
}
#endif
