@testable import Router
@testable import RouterCore
@testable import RouterLog

/// The record and the inbox of a shared surface, as the database keeps them, with the hosts that use it. Nothing happens by itself.
final class SimulatedRecord: Sendable {
  static let surface = "main"

  struct Row: Sendable {
    let host: String
    let number: Int
    let text: String
    var reply: SharedReply?
  }

  struct State: Sendable {
    var records: [AuditRecord] = []
    var inbox: [Row] = []
    var epoch = 0
  }

  /// The leader has changed since.
  struct Deposed: Error {}

  let state = Mutex(State())

  var records: [AuditRecord] { state.withLock(\.records) }
  var inbox: [Row] { state.withLock(\.inbox) }

  /// Puts an input into the inbox, and returns its row.
  @discardableResult
  func send(_ input: SharedInput, from host: String, number: Int = 0) -> Int {
    state.withLock { state in
      state.inbox.append(Row(host: host, number: number, text: JSONText(input).description))
      return state.inbox.count - 1
    }
  }

  /// A new host with a copy of the first events.
  func host(_ name: String, copied count: Int = 0, sender: (any CallbackSender)? = nil) async throws -> SimulatedHost {
    let primary = SimulatedPrimary(record: self)
    let log = try AuditLog(path: ":memory:", clock: .system, primary: primary)
    if count > 0 { _ = try log.copy(Array(records.prefix(count))) }
    let link = SimulatedLink(record: self, host: name)
    let coordinator = try await PresentationCoordinator(
      log: log, clock: .system, callbackSender: sender, boot: "boot",
      shared: SharedSurface(name: Self.surface, host: name, link: link))
    return SimulatedHost(name: name, record: self, log: log, coordinator: coordinator, primary: primary)
  }

  /// A copy of all events.
  func copy() throws -> AuditLog {
    let copy = try AuditLog.inMemory()
    for record in records { _ = try copy.copy([record]) }
    return copy
  }
}

final class SimulatedPrimary: PrimaryLog {
  let record: SimulatedRecord
  let epoch = Mutex(0)

  init(record: SimulatedRecord) { self.record = record }

  func commit(_ records: [AuditRecord], replies: [InboxReply], after previous: AuditHead) throws {
    let epoch = epoch.withLock(\.self)
    try record.state.withLock { state in
      guard state.epoch == epoch, state.records.last?.seq ?? 0 == previous.seq else { throw SimulatedRecord.Deposed() }
      state.records += records
      for reply in replies { state.inbox[Int(reply.row)].reply = reply.reply }
    }
  }

  func remove(through seq: Int64) throws {}
}

private final class SimulatedLink: SharedLink {
  let record: SimulatedRecord
  let host: String

  init(record: SimulatedRecord, host: String) { (self.record, self.host) = (record, host) }

  func send(_ input: SharedInput, number: Int) { record.send(input, from: host, number: number) }
  func report(_ progress: PresentationProgress?, of id: PresentationID) {}
  func recorded(_ row: InboxReply) {}
  func steppedDown() {}
}

/// A host of a ``SimulatedRecord``, which does what the daemon's worker does.
struct SimulatedHost: Sendable {
  let name: String
  let record: SimulatedRecord
  let log: AuditLog
  let coordinator: PresentationCoordinator
  let primary: SimulatedPrimary

  /// Copies and follows what is recorded, `page` events at a time, and then takes the replies to this host's inputs.
  func follow(page: Int = .max) async throws {
    if await !coordinator.isLeading {
      while case let head = Int(log.head.seq), head < record.records.count {
        let new = Array(record.records[head...].prefix(page))
        let events = try log.copy(new)
        await coordinator.follow(events, after: new[0].seq - 1)
      }
    }
    await coordinator.connected()
    for row in record.inbox where row.host == name {
      if let reply = row.reply { await coordinator.replied(to: row.number, reply) }
    }
    await settle()
  }

  /// Takes the lead.
  func lead(awaiting hosts: Set<String> = []) async throws {
    let epoch = record.state.withLock { state in
      state.epoch += 1
      return state.epoch
    }
    try await follow()
    primary.epoch.withLock { $0 = epoch }
    await coordinator.takeOver(awaiting: hosts)
    await settle()
  }

  /// Decides the inputs that have no reply.
  func decide() async throws {
    for (index, row) in record.inbox.enumerated() where row.reply == nil {
      let input = try? SharedInput(text: row.text)
      await coordinator.receive(input, from: row.host, row: Int64(index))
    }
    await settle()
  }

  /// Waits until the coordinator has learned of its commits.
  func settle() async {
    for _ in 0..<3 { await coordinator.roundTrip() }
  }

  /// Ends the host without another event on record.
  func kill() async {
    primary.epoch.withLock { $0 = -1 }
    await stop()
  }

  func stop() async {
    await coordinator.disconnected()
    await coordinator.shutDown()
  }
}

extension SharedInput {
  fileprivate init(text: String) throws {
    try self.init(json: JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth))
  }
}
