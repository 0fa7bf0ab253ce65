import Router
import RouterCore
import TestSupport

@testable import RouterLog

/// The database of a shared surface: its record, the inbox of its leader, the leader's lease, and who is connected. It does what
/// the functions of `Config/shared.sql` do.
final class SimulatedLedger: @unchecked Sendable {
  static let surface = "main"

  struct Row {
    let host: String
    let process: Int
    let number: Int
    let requested: PresentationID?
    let text: String
    var reply: SharedReply?
  }

  struct Presence {
    var process: Int
    var isConnected: Bool
    var seen: Duration
  }

  /// The host does not lead, cannot reach the database, or its events do not continue the record.
  struct Refused: Error {}

  let world: World
  private(set) var records: [AuditRecord] = []
  private(set) var inbox: [Row] = []
  /// The rows before it have replies.
  private(set) var firstOpen = 0
  private(set) var leader: String?
  private(set) var epoch = 0
  private var expires = Duration.zero
  var hosts: [String: Presence] = [:]
  private var requested: Set<String> = []
  /// Increases with each change, which the database announces.
  private(set) var version = 0

  init(_ world: World) { self.world = world }

  var isFree: Bool { leader == nil || expires <= world.now || leader.map { hosts[$0]?.isConnected != true } ?? true }

  func send(_ rows: [Row]) {
    inbox += rows
    version += 1
  }

  func lead(_ host: String, known: Int, for lease: Duration) -> Int? {
    guard epoch == known, leader == host || isFree else { return nil }
    (leader, epoch, expires) = (host, epoch + 1, world.now + lease)
    version += 1
    return epoch
  }

  func renew(_ host: String, for lease: Duration) {
    if leader == host { expires = world.now + lease }
  }

  func append(_ new: [AuditRecord], _ replies: [InboxReply], after previous: AuditHead, by host: String, epoch: Int) throws {
    guard leader == host, self.epoch == epoch else { throw Refused() }
    if !new.isEmpty {
      guard records.last?.seq ?? 0 == previous.seq, records.isEmpty || records.last?.hash == previous.hash else {
        throw Refused()
      }
      records += new
      for record in new where record.type == "requested" { requested.insert(record.presentation ?? "") }
    }
    for reply in replies where inbox[Int(reply.row)].reply == nil { inbox[Int(reply.row)].reply = reply.reply }
    while firstOpen < inbox.count, inbox[firstOpen].reply != nil { firstOpen += 1 }
    version += 1
  }

  func isUsed(_ id: PresentationID) -> Bool { requested.contains(id.description) }
}

/// A daemon's part in a shared surface: it does what `SharedWorker` does with PostgreSQL, in the same order.
final class SharedMember: World.Actor, SharedLink, PrimaryLog, @unchecked Sendable {
  private static let silence = Duration.seconds(5)
  private static let interval = silence / 10

  let host: String
  private let ledger: SimulatedLedger
  private let world: World
  private let process: Int
  private var coordinator: PresentationCoordinator?
  private var log: AuditLog?
  private var joined: [@Sendable () -> Void] = []
  private var outbox: [(number: Int, input: SharedInput)] = [(0, .restarted)]
  /// This host's inputs without a reply so far, as rows of the inbox.
  private var asked: [Int] = []
  private var inFlight: [Int: PresentationID?] = [:]
  private var isLeading = false
  private var epoch = -1
  private var isCaughtUp = false
  private var hasFailed = false
  private var mayLeadFrom = Duration.zero
  private var showAt: Duration?
  private var goneSince: [String: Duration] = [:]
  private var connectedAt: Duration?
  private var lastContact: Duration
  private var nextBeat = Duration.zero
  private var seenVersion = -1
  /// Whether something is to do besides what the database announces.
  private var isAwake = true
  private var lostUntil = Duration.zero
  private var isOver = false

  init(_ ledger: SimulatedLedger, host: String, in world: World) {
    (self.ledger, self.host, self.world) = (ledger, host, world)
    process = world.random.below(1 << 30)
    lastContact = world.now
    world.add(self)
    beatLater()
  }

  func join(_ coordinator: PresentationCoordinator, _ log: AuditLog, then done: @escaping @Sendable () -> Void) {
    (self.coordinator, self.log) = (coordinator, log)
    joined.append(done)
    isAwake = true
  }

  /// Loses the connection for a while. The database notices at once, as when the client closes it.
  func lose(for time: Duration) {
    lostUntil = world.now + time
    connectedAt = nil
    ledger.hosts[host]?.isConnected = false
    world.after(time) { [weak self] in self?.isAwake = true }
  }

  /// Leaves the surface, after the coordinator has stopped.
  func leave() {
    if connectedAt != nil, !isLeading {
      outbox.append((Int(Int32.max), .restarted))
      sendInputs()
    }
    if isLeading { ledger.renew(host, for: .seconds(-1)) }
    die()
  }

  /// Ends with the process.
  func die() {
    if !isOver, ledger.hosts[host]?.process == process { ledger.hosts[host]?.isConnected = false }
    isOver = true
    world.remove(self)
    (coordinator, log, joined) = (nil, nil, [])
  }

  private func beatLater() {
    world.after(Self.interval) { [weak self] in
      guard let self, !isOver else { return }
      isAwake = true
      beatLater()
    }
  }

  // MARK: What the coordinator and the log call

  func send(_ input: SharedInput, number: Int) {
    outbox.append((number, input))
    isAwake = true
  }

  func report(_ progress: PresentationProgress?, of id: PresentationID) {}

  func recorded(_ row: InboxReply) { inFlight[Int(row.row)] = nil }

  func steppedDown() {
    (isLeading, isCaughtUp, inFlight, showAt) = (false, false, [:], nil)
    isAwake = true
  }

  func commit(_ records: [AuditRecord], replies: [InboxReply], after previous: AuditHead) throws {
    guard !isOver, world.now >= lostUntil else { throw SimulatedLedger.Refused() }
    try ledger.append(records, replies, after: previous, by: host, epoch: epoch)
  }

  func remove(through seq: Int64) throws {}

  var isReady: Bool { !isOver && (isAwake || ledger.version != seenVersion && world.now >= lostUntil) }

  func step() {
    isAwake = false
    seenVersion = ledger.version
    work()
    for done in joined { done() }
    joined = []
  }

  private func work() {
    guard let coordinator, let log else { return }
    if world.now - lastContact > Self.silence { coordinator.send { $0.disconnected() } }
    guard world.now >= lostUntil else { return }
    if connectedAt == nil { connect() }
    sendInputs()
    // An announcement may come late.
    if !isCaughtUp || world.random.chance(60) { follow(coordinator, log) }
    if nextBeat <= world.now {
      beat(coordinator, log)
      nextBeat = world.now + Self.interval
    }
    takeInputs(coordinator)
    lastContact = world.now
  }

  private func connect() {
    ledger.hosts[host] = SimulatedLedger.Presence(process: process, isConnected: true, seen: world.now)
    (connectedAt, nextBeat, isCaughtUp, goneSince) = (world.now, .zero, false, [:])
  }

  private func sendInputs() {
    guard !outbox.isEmpty else { return }
    asked += ledger.inbox.count..<ledger.inbox.count + outbox.count
    ledger.send(
      outbox.map { number, input in
        var requested: PresentationID?
        if case .input(.request(let ask)) = input { requested = ask.id }
        return SimulatedLedger.Row(
          host: host, process: process, number: number, requested: requested, text: JSONText(input).description)
      })
    outbox = []
  }

  private func follow(_ coordinator: PresentationCoordinator, _ log: AuditLog) {
    // Read at once, so that no reply precedes its events.
    let replies = asked.prefix { ledger.inbox[$0].reply != nil }
    if !isLeading {
      let head = log.head
      let new = Array(ledger.records.dropFirst(Int(head.seq)))
      do {
        if !new.isEmpty {
          let events = try log.copy(new)
          coordinator.send { $0.follow(events, after: head.seq) }
        }
        (isCaughtUp, hasFailed) = (true, false)
      } catch {
        world.tell("\(host) cannot follow: \(error)")
        if error.code == .database { world.violate("\(host) cannot follow: \(error)") }
        (isCaughtUp, hasFailed) = (false, true)
        coordinator.send { $0.disconnected() }
      }
    }
    guard !hasFailed else { return }
    asked.removeFirst(replies.count)
    for row in replies.map({ ledger.inbox[$0] }) {
      if let reply = row.reply { coordinator.send { $0.replied(to: row.number, reply) } }
    }
  }

  private func beat(_ coordinator: PresentationCoordinator, _ log: AuditLog) {
    ledger.hosts[host]?.seen = world.now
    if isLeading { ledger.renew(host, for: Self.silence) }
    let others = ledger.hosts.filter { $0.key != host }
    look(others, coordinator, log)
    for (other, presence) in others.sorted(by: { $0.key < $1.key }) {
      guard !presence.isConnected || world.now - presence.seen > Self.silence else {
        goneSince[other] = nil
        continue
      }
      let since = goneSince[other] ?? world.now
      goneSince[other] = since
      guard world.now - since >= .seconds(1), world.now - (connectedAt ?? world.now) >= .seconds(3), isLeading else { continue }
      coordinator.send { $0.hostGone(other) }
    }
    if let time = showAt, time <= world.now {
      showAt = nil
      coordinator.send { $0.showWithoutAwaited() }
    }
  }

  private func look(
    _ others: [String: SimulatedLedger.Presence], _ coordinator: PresentationCoordinator, _ log: AuditLog
  ) {
    if isLeading {
      if ledger.leader == host, ledger.epoch == epoch {
        isCaughtUp = true
        coordinator.send { $0.connected() }
      } else {
        coordinator.send { $0.checkLeadership() }
      }
      return
    }
    if ledger.leader == host, ledger.epoch == epoch, !ledger.isFree { return giveBack() }
    if ledger.isFree || ledger.leader == host, isCaughtUp, !hasFailed, mayLeadFrom <= world.now,
      let taken = ledger.lead(host, known: ledger.epoch, for: Self.silence)
    {
      isCaughtUp = false
      follow(coordinator, log)
      guard isCaughtUp else { return giveBack() }
      let here = others.filter { $0.value.isConnected && world.now - $0.value.seen <= Self.silence }.keys
      (epoch, isLeading, showAt) = (taken, true, here.isEmpty ? nil : world.now + .seconds(1))
      world.tell("\(host) leads in epoch \(taken)")
      return coordinator.send { coordinator in
        coordinator.connected()
        coordinator.takeOver(awaiting: Set(here))
      }
    }
    if isCaughtUp { coordinator.send { $0.connected() } }
    if epoch != ledger.epoch, !ledger.isFree {
      epoch = ledger.epoch
      coordinator.send { $0.announcePresenters() }
    }
  }

  private func giveBack() {
    mayLeadFrom = world.now + Self.silence
    ledger.renew(host, for: .seconds(-1))
  }

  private func takeInputs(_ coordinator: PresentationCoordinator) {
    guard isLeading else { return }
    var used = Set(inFlight.values.compactMap(\.self))
    for id in ledger.firstOpen..<ledger.inbox.count where ledger.inbox[id].reply == nil && inFlight[id] == nil {
      let row = ledger.inbox[id]
      let input = try? SharedInput(json: JSONValue(parsing: row.text, maximumDepth: JSONValue.maximumWrappedDepth))
      let isValid = row.requested.map { !ledger.isUsed($0) && used.insert($0).inserted } ?? true
      inFlight[id] = .some(row.requested)
      coordinator.send { $0.receive(isValid ? input : nil, from: row.host, row: Int64(id)) }
    }
  }
}
