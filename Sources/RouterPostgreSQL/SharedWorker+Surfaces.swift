#if PostgreSQL
import Logging
import Router

extension SharedWorker {
  /// The maximum number of a surface's inputs that await a reply, so that surfaces without a leader leave room for others.
  private static let mostWaiting = 1000

  /// Puts this host's inputs into the inbox. Keeps existing rows, written before a reply was lost.
  func sendInputs(_ connection: PostgreSQLConnection) throws {
    let sending = try added(ordered.filter { $0.sendAt.map { $0 <= now } ?? false }, connection)
    let rows = sending.flatMap { surface in surface.due(most: Self.mostWaiting).map { (surface, $0) } }
    var count = 0
    if !rows.isEmpty {
      count =
        try connection.query(
          "SELECT router.send($1, $2, $3, $4, $5, $6, $7)",
          [
            "\(process)", rows.map { Optional($0.0.name) }.arrayLiteral,
            rows.map { Optional("\($0.1.number)") }.arrayLiteral,
            rows.map { $0.1.input.requested?.description }.arrayLiteral, rows.map { Optional($0.1.input.text) }.arrayLiteral,
            sending.map { Optional($0.name) }.arrayLiteral, sending.map { Optional("\($0.replied)") }.arrayLiteral,
          ]
        ).first?[0].flatMap { Int($0) } ?? 0
      if count < rows.count, !isInboxFull {
        logger.warning("the database takes no more inputs of this host until the leaders have processed some")
      }
      isInboxFull = count < rows.count
    }
    let taken = rows.prefix(count).map(\.0)
    for surface in sending { surface.haveSent(taken.count { $0 === surface }, retryAt: now + interval) }
    announce(
      sending.filter { surface in !surface.isLeading && taken.contains { $0 === surface } }.map { News.inputs.of($0.name) })
  }

  /// Adds surfaces that are not recorded. Returns the surfaces that are recorded now.
  private func added(_ surfaces: [Surface], _ connection: PostgreSQLConnection) throws -> [Surface] {
    for surface in surfaces where !surface.isAdded {
      do {
        try connection.query("SELECT router.add_surface($1)", [surface.name])
        surface.isAdded = true
      } catch {
        if error.isDisconnection { throw error }
        fail(surface, RouterError(.database, "cannot add the surface \(surface.name)", cause: error))
      }
    }
    return surfaces.filter(\.isAdded)
  }

  /// Copies another host's events, and handles the replies to this host's inputs.
  func follow(_ surfaces: [Surface], _ connection: PostgreSQLConnection) throws {
    let surfaces = surfaces.filter { $0.mayHave.contains(.events) }
    let asking = surfaces.filter(\.awaitsReplies)
    let following = surfaces.filter { !$0.isLeading }
    guard !asking.isEmpty || !following.isEmpty else { return }
    var (behind, replies) = try copy(following, repliesTo: asking, connection)
    while !behind.isEmpty { (behind, _) = try copy(behind, repliesTo: [], connection) }
    // A reply must not precede its events, which cannot be copied after a failure.
    for (surface, number, reply) in replies where surface.failure == nil { surface.take(reply, to: number) }
    for surface in surfaces { surface.mayHave.remove(.events) }
  }

  /// Copies the next events of surfaces. Returns the surfaces that may have more, and the replies to this host's inputs on
  /// others. The replies do not precede the events, since one statement reads both.
  private func copy(
    _ surfaces: [Surface], repliesTo asking: [Surface], _ connection: PostgreSQLConnection
  ) throws -> (behind: [Surface], replies: [(surface: Surface, number: Int, reply: SharedReply)]) {
    let surfaces = try surfaces.filter { try hasCheckedCopy(of: $0, connection) }
    let limit = max(500 / max(surfaces.count, 1), 50)
    let heads = surfaces.map(\.log.head)
    let rows = try connection.query(
      """
      SELECT surface, seq, at, type, presentation, detail, hash FROM router.events_after($1, $2, $3)
      UNION ALL
      SELECT surface, number, NULL, NULL, NULL, reply, NULL FROM router.replies_after($4, $5, $6, $7) ORDER BY 1, 2
      """,
      [
        surfaces.map { Optional($0.name) }.arrayLiteral, heads.map { Optional("\($0.seq)") }.arrayLiteral, "\(limit)",
        asking.map { Optional($0.name) }.arrayLiteral, configuration.host, "\(process)",
        asking.map { Optional("\($0.replied)") }.arrayLiteral,
      ])
    var records: [String: [AuditRecord]] = [:]
    var replies: [(Surface, Int, SharedReply)] = []
    for row in rows {
      guard let name = row[0], let number = row[1].flatMap(Int64.init), let detail = row[5] else { continue }
      if let type = row[3] {
        records[name, default: []].append(
          AuditRecord(
            seq: number, at: row[2] ?? "", type: type, presentation: row[4], detail: detail,
            hash: row[6].flatMap([UInt8].init(byteLiteral:)) ?? []))
      } else if let surface = asking.first(where: { $0.name.isSame(as: name) }) {
        replies.append((surface, Int(number), (try? SharedReply(text: detail)) ?? SharedReply(.unreadableReply)))
      }
    }
    for (surface, head) in zip(surfaces, heads) {
      let new = records[surface.name] ?? []
      do {
        try copy(new, of: surface, after: head, connection)
        if new.count < limit { surface.isCaughtUp = true }
        surface.failure = nil
      } catch let error as PostgreSQLError {
        throw error
      } catch {
        let failure = RouterError(.database, "cannot follow the surface \(surface.name)", cause: error)
        fail(surface, error as? RouterError ?? failure)
      }
    }
    return (surfaces.filter { records[$0.name, default: []].count >= limit && $0.failure == nil }, replies)
  }

  private func copy(
    _ records: [AuditRecord], of surface: Surface, after head: AuditHead, _ connection: PostgreSQLConnection
  ) throws {
    guard let first = records.first else { return }
    let start = head.seq == 0 && first.seq > 1 ? try lastPruning(of: surface.name, connection) : nil
    let events = try surface.log.copy(records, after: start)
    surface.coordinator.send { coordinator in
      if let start { coordinator.begin(with: start) }
      coordinator.follow(events, after: first.seq - 1)
    }
    // Removes events from the copy that the leader has pruned.
    if events.contains(where: { $0.kind == .pruned }) { surface.log.sweepSoon() }
  }

  /// Stops copying this surface; the others continue.
  private func fail(_ surface: Surface, _ error: RouterError) {
    report(error, after: surface.failure)
    (surface.failure, surface.isCaughtUp) = ("\(error)", false)
    surface.coordinator.send { $0.disconnected() }
  }

  private func lastPruning(of name: String, _ connection: PostgreSQLConnection) throws -> Event.Pruned? {
    let rows = try connection.query(
      """
      SELECT at, detail FROM router.events WHERE surface = $1 AND type = 'pruned' ORDER BY seq DESC LIMIT 1
      """, [name])
    guard let at = rows.first?[0].flatMap({ Timestamp($0) }), let text = rows.first?[1] else { return nil }
    let detail = try JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth)
    guard case .pruned(let pruned) = try Event(at: at, kind: .pruned, presentation: nil, detail: detail).detail else {
      return nil
    }
    return pruned
  }

  /// Checks that the record still contains the end of this host's copy, which is not the case after restoring a backup.
  /// Otherwise records the failure and returns false.
  private func hasCheckedCopy(of surface: Surface, _ connection: PostgreSQLConnection) throws -> Bool {
    let head = surface.log.head
    guard !surface.isCaughtUp, head.seq > 0 else { return true }
    do {
      try checkCopy(of: surface.name, head, connection)
      return true
    } catch let error as RouterError {
      fail(surface, error)
      return false
    }
  }

  private func checkCopy(of name: String, _ head: AuditHead, _ connection: PostgreSQLConnection) throws {
    let rows = try connection.query(
      """
      SELECT hash FROM router.events WHERE surface = $1 AND seq = $2
      UNION ALL SELECT NULL WHERE EXISTS (SELECT FROM router.events WHERE surface = $1 AND seq > $2)
      """, [name, "\(head.seq)"])
    guard let hash = rows.first?[0] else {
      if !rows.isEmpty { return }
      throw RouterError(
        .database,
        "cannot follow the surface \(name): its record ends before event \(head.seq), which this host has copied")
    }
    guard [UInt8](byteLiteral: hash) == head.hash else {
      throw RouterError(.database, "cannot follow the surface \(name): its record differs from this host's copy")
    }
  }

  /// Passes inputs from the inbox to the coordinators of the surfaces that this host leads.
  func takeInputs(_ connection: PostgreSQLConnection) throws {
    let leading = ordered.filter { $0.isLeading && $0.mayHave.contains(.inputs) }
    guard !leading.isEmpty else { return }
    let inFlight = surfaces.values.map(\.inFlight)
    let rows = try connection.query(
      "SELECT surface, id, host, requested, input, is_used, has_more FROM router.inputs($1, $2, 50) ORDER BY surface, id",
      [leading.map { Optional($0.name) }.arrayLiteral, inFlight.flatMap(\.keys).map { Optional("\($0)") }.arrayLiteral])
    // Hosts choose the ids. A duplicate would mix up two presentations.
    var used = Set(inFlight.flatMap(\.values).compactMap(\.self))
    for surface in leading {
      surface.mayHave.remove(.inputs)
      if surface.inFlight.isEmpty { surface.isBacklogged = false }
    }
    for row in rows {
      guard let surface = row[0].flatMap({ surfaces[$0] }), let id = row[1].flatMap(Int64.init), let host = row[2] else {
        continue
      }
      if row[6] == "t" { surface.isBacklogged = true }
      let input = row[4].flatMap { try? SharedInput(text: $0) }
      let requested = input?.requested
      let isValid =
        requested?.description == row[3] && (requested.map { row[5] == "f" && used.insert($0).inserted } ?? true)
      surface.inFlight[id] = .some(requested)
      surface.coordinator.send { $0.receive(isValid ? input : nil, from: host, row: id) }
    }
  }

  /// Sends the progress of this host's sheets, and receives that of others.
  func exchangeProgress(_ surface: Surface, _ connection: PostgreSQLConnection) throws {
    let (name, own) = (surface.name, surface.progress)
    for (id, progress) in own {
      try connection.query(
        "SELECT router.report($1, $2, $3, $4)",
        [id.description, name, progress.map { "\($0.fraction)" }, progress.flatMap(\.label)])
      surface.progress[id] = nil
    }
    if own.values.contains(where: { $0 != nil }) { announce([News.progress.of(name)]) }
    guard surface.mayHave.remove(.progress) != nil else { return }
    let rows = try connection.query(
      "SELECT presentation, host, fraction, label FROM router.progress WHERE surface = $1 AND host <> $2",
      [name, configuration.host])
    for row in rows {
      guard let id = row[0].flatMap(PresentationID.init), let host = row[1], let fraction = row[2].flatMap(Double.init)
      else { continue }
      let progress = PresentationProgress(fraction: fraction, label: row[3])
      surface.coordinator.send { $0.follow(progress, of: id, from: host) }
    }
  }

  // MARK: Leading

  /// Renews this host's heartbeat, and checks the leaders and the other hosts.
  func beat(_ connection: PostgreSQLConnection) throws {
    let names = surfaces.keys.map { Optional($0) }.arrayLiteral
    let lease = configuration.silence.interval
    let sent = PresentationClock.system.wall()
    let state = try connection.query(
      """
      SELECT router.beat(), pg_notification_queue_usage() > 0.001,
        round(extract(epoch FROM clock_timestamp()) * 1000)::bigint
      """
    ).first
    isQueueFilling = state?[1] == "t"
    if let time = state?[2].flatMap(Int64.init) { noteClock(Timestamp(milliseconds: time), since: sent) }
    // Lets another host take over the surfaces if this host's clock is wrong. Without other hosts, this host continues.
    let renewal = isClockRight ? lease : "-1 second"
    if surfaces.values.contains(where: \.isLeading) {
      try connection.query(
        "SELECT router.renew($1, $2)", [surfaces.filter(\.value.isLeading).keys.map { Optional($0) }.arrayLiteral, renewal])
    }
    let hosts = try others(connection)
    let rows = try connection.query(
      """
      SELECT name, leader, epoch, leader IS NULL OR expires <= clock_timestamp()
      FROM router.surfaces WHERE name = ANY($1::text[])
      """, [names])
    for row in rows {
      guard let surface = row[0].flatMap({ surfaces[$0] }), let epoch = row[2].flatMap(Int64.init) else { continue }
      let isFree = row[3] == "t" || row[1].flatMap { hosts[$0] } == .disconnected
      try look(after: surface, leader: row[1], epoch: epoch, isFree: isFree, lease, hosts, connection)
    }
    lookAfter(hosts)
  }

  /// Compares this host's clock with the database's.
  ///
  /// - Parameter sent: The time at which the query was sent.
  private func noteClock(_ time: Timestamp, since sent: Timestamp) {
    let wasRight = isClockRight
    // The database read its clock at some time since then.
    let received = PresentationClock.system.wall()
    clockOffset = time < sent ? sent.duration(since: time) : time > received ? received.duration(since: time) : .zero
    guard isClockRight != wasRight else { return }
    if isClockRight {
      logger.notice("this host's clock agrees with the database's again")
    } else {
      logger.error(
        "cannot lead shared surfaces: this host's clock differs too much from the database's; set the one that is wrong",
        metadata: [
          "seconds": "\(clockOffset.milliseconds / 1000)", "allowed": "\(Self.largestClockOffset.milliseconds / 1000)",
        ])
    }
  }

  private func look(
    after surface: Surface, leader: String?, epoch: Int64, isFree: Bool, _ lease: String, _ hosts: [String: Presence],
    _ connection: PostgreSQLConnection
  ) throws {
    if surface.isLeading {
      if leader == configuration.host, epoch == surface.epoch {
        surface.isCaughtUp = true
        surface.coordinator.send { $0.connected() }
      } else {
        // The coordinator checks with a commit, so that no recorded event is lost.
        surface.coordinator.send { $0.checkLeadership() }
      }
      return
    }
    if leader == configuration.host, epoch == surface.epoch, !isFree {
      // The host led, but could not record anything.
      return try giveBack(surface, connection)
    }
    let canFollow = surface.isCaughtUp && surface.failure == nil
    if mayLead, isFree || leader == configuration.host, canFollow, isClockRight, surface.mayLeadFrom <= now {
      let taken = try connection.query(
        "SELECT router.lead($1, $2, $3::interval)", [surface.name, "\(epoch)", lease]
      ).first?[0].flatMap(Int64.init)
      if let taken { return try takeOver(surface, epoch: taken, awaiting: Set(hosts.filter { $1 == .here }.keys), connection) }
    }
    if surface.isCaughtUp { surface.coordinator.send { $0.connected() } }
    if surface.epoch != epoch, !isFree {
      surface.epoch = epoch
      surface.mayHave.insert(.events)
      surface.coordinator.send { $0.announcePresenters() }
    }
  }

  private func takeOver(
    _ surface: Surface, epoch: Int64, awaiting hosts: Set<String>, _ connection: PostgreSQLConnection
  ) throws {
    surface.mayHave.insert(.events)
    surface.isCaughtUp = false
    // From now on, no other host can record anything.
    try follow([surface], connection)
    guard surface.isCaughtUp else { return try giveBack(surface, connection) }
    surface.lead(epoch: epoch, showAt: hosts.isEmpty ? nil : now + .seconds(1))
    surface.coordinator.send { coordinator in
      coordinator.connected()
      coordinator.takeOver(awaiting: hosts)
    }
    logger.notice("leading a shared surface", metadata: ["surface": "\(surface.name)", "epoch": "\(epoch)"])
    announce(["l" + surface.name])
  }

  /// Gives up the lead of a surface that this host cannot follow or record, and tries again later.
  private func giveBack(_ surface: Surface, _ connection: PostgreSQLConnection) throws {
    surface.mayLeadFrom = now + configuration.silence
    logger.error(
      "gave back the lead of a shared surface, which this host cannot record",
      metadata: ["surface": "\(surface.name)", "retryInSeconds": "\(configuration.silence.milliseconds / 1000)"])
    try connection.query("SELECT router.renew($1, '-1 second')", [[surface.name].arrayLiteral])
    announce(["l" + surface.name])
  }

  private enum Presence: Sendable {
    /// Connected, with a recent heartbeat.
    case here
    /// Connected, without a recent heartbeat.
    case silent
    case disconnected
  }

  private func others(_ connection: PostgreSQLConnection) throws -> [String: Presence] {
    let rows = try connection.query(
      """
      SELECT name, router.is_gone(name), coalesce(seen < clock_timestamp() - $2::interval, true)
      FROM router.hosts WHERE name <> $1
      """, [configuration.host, configuration.silence.interval])
    return Dictionary(
      rows.compactMap { row in row[0].map { ($0, row[1] == "t" ? .disconnected : row[2] == "t" ? .silent : .here) } }
    ) { $1 }
  }

  /// Ends the requests and presenters of lost hosts. A host that lost only its connection is back within a second, as are all
  /// hosts after a restart of the database.
  private func lookAfter(_ hosts: [String: Presence]) {
    for (host, presence) in hosts {
      guard presence != .here else {
        goneSince[host] = nil
        continue
      }
      let since = goneSince[host] ?? now
      goneSince[host] = since
      guard now - since >= .seconds(1), now - connectedAt >= .seconds(3) else { continue }
      for surface in surfaces.values where surface.isLeading { surface.coordinator.send { $0.hostGone(host) } }
    }
    for surface in surfaces.values {
      guard let time = surface.showAt, time <= now else { continue }
      surface.showAt = nil
      surface.coordinator.send { $0.showWithoutAwaited() }
    }
  }
}

extension RouterError {
  fileprivate static let unreadableReply = RouterError(
    .impossible, "cannot read the reply of the host that leads the shared surface: it may run another version of routerd")
}

extension SharedReply {
  init(text: String) throws { try self.init(json: JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth)) }
}

extension SharedInput {
  init(text: String) throws { try self.init(json: JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth)) }

  /// The presentation that the input requests.
  var requested: PresentationID? {
    if case .input(.request(let ask)) = self { ask.id } else { nil }
  }
}

extension Duration {
  /// The duration as an interval for PostgreSQL.
  var interval: String { "\(milliseconds) milliseconds" }

  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
#endif
