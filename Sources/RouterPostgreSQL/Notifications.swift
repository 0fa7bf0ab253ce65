#if PostgreSQL
import Glibc
import Router

/// The database's notifications, on a separate connection. Any host can flood it, which delays others' notifications and may
/// keep other hosts from sending. So the worker never waits for notifications, and polls while they are unreliable.
final class Notifications {
  private let connection: PostgreSQLConnection
  private let timeout: Duration
  private var waiting: Set<String> = []
  private var sending: Set<String> = []
  private var sendingSince: Duration?
  private var received = 0
  private var second = Duration.zero
  private var troubleUntil = Duration.zero
  private var retryAt = Duration.zero

  /// A limit above the normal rate: each host announces at most once per turn of its worker.
  private static let mostPerSecond = 5000
  private static let announce = "SELECT pg_notify('router', payload) FROM unnest($1::text[]) AS t (payload)"

  init(_ url: String, timeout: Duration) throws(PostgreSQLError) {
    connection = try PostgreSQLConnection(url, timeout: timeout)
    self.timeout = timeout
    // Notifications do not survive a server crash, so they need not wait for its disk.
    try connection.query("SET synchronous_commit = off")
    try connection.query("LISTEN router")
  }

  var descriptor: CInt { connection.descriptor }
  private var now: Duration { PresentationClock.system.now() }

  /// Whether notifications are late or lost.
  var isUnreliable: Bool { now < troubleUntil || sendingSince.map { now - $0 > .milliseconds(100) } ?? false }

  /// Sends notifications, after all earlier ones.
  func send(_ payloads: [String]) throws(PostgreSQLError) {
    waiting.formUnion(payloads)
    try sendNext()
  }

  private func sendNext() throws(PostgreSQLError) {
    if let sendingSince {
      guard now - sendingSince < timeout else { throw PostgreSQLError(code: nil, message: "no reply within \(timeout)") }
      guard let hasSucceeded = try connection.finishQuery() else { return }
      self.sendingSince = nil
      if !hasSucceeded {
        waiting.formUnion(sending)
        (retryAt, troubleUntil) = (now + .milliseconds(50), now + .seconds(1))
      }
    }
    guard !waiting.isEmpty, retryAt <= now else { return }
    (sending, waiting) = (waiting, [])
    sendingSince = now
    try connection.start(Self.announce, sending.map { Optional($0) }.arrayLiteral)
  }

  /// Returns the payloads received so far; none during a flood.
  func take() throws(PostgreSQLError) -> Set<String> {
    try sendNext()
    let payloads = try connection.notifications()
    if now - second > .seconds(1) { (second, received) = (now, 0) }
    received += payloads.count
    guard received > Self.mostPerSecond else { return Set(payloads) }
    troubleUntil = now + .seconds(1)
    return []
  }

  /// Sends the waiting notifications, for at most a second.
  func finish() throws(PostgreSQLError) {
    let end = now + .seconds(1)
    repeat {
      try sendNext()
      guard sendingSince != nil, now < end else { return }
      var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 10)
    } while true
  }
}
#endif
