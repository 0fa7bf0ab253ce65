#if PostgreSQL
import Logging
import Router

extension SharedWorker {
  /// How many inputs of a surface may wait for a reply. Those of a surface without a leader leave room for other surfaces.
  private static let mostWaiting = 1000

  /// Puts this host's inputs into the inbox. A row that is already there, from before a lost reply, is kept.
  func sendInputs(_ connection: PostgreSQLConnection) throws {
    let names = surfaces.filter { $0.value.sendAt.map { $0 <= now } ?? false }.keys.sorted()
    let rows = try added(names, connection).flatMap { name in
      let surface = surfaces[name]!
      return surface.outbox.prefix(max(0, Self.mostWaiting - (surface.sent - surface.replied))).map { (name, $0) }
    }
    var sent: [String: Int] = [:]
    if !rows.isEmpty {
      let count =
        try connection.query(
          "SELECT router.send($1, $2, $3, $4, $5, $6, $7)",
          [
            "\(process)", rows.map { Optional($0.0) }.arrayLiteral, rows.map { Optional("\($0.1.number)") }.arrayLiteral,
            rows.map { $0.1.input.requested?.description }.arrayLiteral, rows.map { Optional($0.1.input.text) }.arrayLiteral,
            names.map { Optional($0) }.arrayLiteral, names.map { Optional("\(surfaces[$0]!.replied)") }.arrayLiteral,
          ]
        ).first?[0].flatMap { Int($0) } ?? 0
      for (name, row) in rows.prefix(count) {
        sent[name, default: 0] += 1
        surfaces[name]!.sent = row.number
      }
      if count < rows.count, !isInboxFull {
        logger.warning("the database takes no more inputs of this host until the leaders have processed some")
      }
      isInboxFull = count < rows.count
    }
    for name in names {
      surfaces[name]!.outbox.removeFirst(sent[name] ?? 0)
      // The rest is sent with the next reply, or later.
      surfaces[name]!.sendAt = surfaces[name]!.outbox.isEmpty ? nil : now + interval
      if sent[name] != nil { surfaces[name]!.mayHaveInputs = true }
    }
    announce(sent.keys.filter { !surfaces[$0]!.isLeading }.map { "i" + $0 })
  }

  /// Adds surfaces that are not on record. Returns those that are now.
  private func added(_ names: [String], _ connection: PostgreSQLConnection) throws -> [String] {
    for name in names where !surfaces[name]!.isAdded {
      do {
        try connection.query("SELECT router.add_surface($1)", [name])
        surfaces[name]!.isAdded = true
      } catch {
        if error.isDisconnection { throw error }
        fail(name, RouterError(.database, "cannot add the surface \(name)", cause: error))
      }
    }
    return names.filter { surfaces[$0]!.isAdded }
  }

  /// Copies the events of another host, and takes the replies to this host's inputs.
  func follow(_ names: [String], _ connection: PostgreSQLConnection) throws {
    let names = names.filter { surfaces[$0]?.mayHaveEvents == true }
    let asking = names.filter { surfaces[$0]!.replied < surfaces[$0]!.sent }
    let following = names.filter { !surfaces[$0]!.isLeading }
    guard !asking.isEmpty || !following.isEmpty else { return }
    var (behind, replies) = try copy(following, repliesTo: asking, connection)
    while !behind.isEmpty { (behind, _) = try copy(behind, repliesTo: [], connection) }
    // A reply must not be ahead of the events, which cannot be copied after a failure.
    for (name, number, reply) in replies where surfaces[name]!.failure == nil {
      surfaces[name]!.replied = number
      if !surfaces[name]!.outbox.isEmpty { surfaces[name]!.sendAt = .zero }
      surfaces[name]!.coordinator.send { $0.replied(to: number, reply) }
    }
    for name in names { surfaces[name]!.mayHaveEvents = false }
  }

  /// Copies the next events of surfaces. Returns the surfaces that may have more, and the replies to this host's inputs on
  /// others. The replies are not ahead of the events, since one statement reads both.
  private func copy(
    _ names: [String], repliesTo asking: [String], _ connection: PostgreSQLConnection
  ) throws -> (behind: [String], replies: [(surface: String, number: Int, reply: SharedReply)]) {
    let names = try names.filter { try hasCheckedCopy(of: $0, connection) }
    let limit = max(500 / max(names.count, 1), 50)
    let heads = names.map { surfaces[$0]!.log.head }
    let rows = try connection.query(
      """
      SELECT surface, seq, at, type, presentation, detail, hash FROM router.events_after($1, $2, $3)
      UNION ALL
      SELECT surface, number, NULL, NULL, NULL, reply, NULL FROM router.replies_after($4, $5, $6, $7) ORDER BY 1, 2
      """,
      [
        names.map { Optional($0) }.arrayLiteral, heads.map { Optional("\($0.seq)") }.arrayLiteral, "\(limit)",
        asking.map { Optional($0) }.arrayLiteral, configuration.host, "\(process)",
        asking.map { Optional("\(surfaces[$0]!.replied)") }.arrayLiteral,
      ])
    var records: [String: [AuditRecord]] = [:]
    var replies: [(String, Int, SharedReply)] = []
    for row in rows {
      guard let name = row[0], let number = row[1].flatMap(Int64.init), let detail = row[5] else { continue }
      if let type = row[3] {
        records[name, default: []].append(
          AuditRecord(
            seq: number, at: row[2] ?? "", type: type, presentation: row[4], detail: detail,
            hash: row[6].flatMap([UInt8].init(byteLiteral:)) ?? []))
      } else {
        replies.append((name, Int(number), (try? SharedReply(text: detail)) ?? SharedReply(.unreadableReply)))
      }
    }
    for (name, head) in zip(names, heads) {
      do {
        try copy(records[name] ?? [], of: name, after: head, connection)
        if records[name, default: []].count < limit { surfaces[name]!.isCaughtUp = true }
        surfaces[name]!.failure = nil
      } catch let error as PostgreSQLError {
        throw error
      } catch {
        fail(name, error as? RouterError ?? RouterError(.database, "cannot follow the surface \(name)", cause: error))
      }
    }
    return (names.filter { records[$0, default: []].count >= limit && surfaces[$0]!.failure == nil }, replies)
  }

  private func copy(
    _ records: [AuditRecord], of name: String, after head: AuditHead, _ connection: PostgreSQLConnection
  ) throws {
    guard let surface = surfaces[name], let first = records.first else { return }
    let start = head.seq == 0 && first.seq > 1 ? try lastPruning(of: name, connection) : nil
    let events = try surface.log.copy(records, after: start)
    surface.coordinator.send { coordinator in
      if let start { coordinator.begin(with: start) }
      coordinator.follow(events, after: first.seq - 1)
    }
    // Removes from the copy what the leader has pruned.
    if events.contains(where: { $0.kind == .pruned }) { surface.log.sweepSoon() }
  }

  /// Its copy cannot go on; the other surfaces can.
  private func fail(_ name: String, _ error: RouterError) {
    report(error, after: surfaces[name]!.failure)
    surfaces[name]!.failure = "\(error)"
    surfaces[name]!.isCaughtUp = false
    surfaces[name]!.coordinator.send { $0.disconnected() }
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

  /// Checks that the record still contains the end of this host's copy. It does not if it was restored from a backup. If it does
  /// not, notes the failure and returns false.
  private func hasCheckedCopy(of name: String, _ connection: PostgreSQLConnection) throws -> Bool {
    let head = surfaces[name]!.log.head
    guard !surfaces[name]!.isCaughtUp, head.seq > 0 else { return true }
    do {
      try checkCopy(of: name, head, connection)
      return true
    } catch let error as RouterError {
      fail(name, error)
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

  /// Passes inputs in the inbox to the coordinators of the surfaces that this host leads.
  func takeInputs(_ connection: PostgreSQLConnection) throws {
    let names = surfaces.filter { $0.value.isLeading && $0.value.mayHaveInputs }.keys.sorted()
    guard !names.isEmpty else { return }
    let inFlight = surfaces.values.map(\.inFlight)
    let rows = try connection.query(
      "SELECT surface, id, host, requested, input, is_used, has_more FROM router.inputs($1, $2, 50) ORDER BY surface, id",
      [names.map { Optional($0) }.arrayLiteral, inFlight.flatMap(\.keys).map { Optional("\($0)") }.arrayLiteral])
    // The hosts choose the ids. One that is used twice would mix up two presentations.
    var used = Set(inFlight.flatMap(\.values).compactMap(\.self))
    for name in names {
      surfaces[name]!.mayHaveInputs = false
      if surfaces[name]!.inFlight.isEmpty { surfaces[name]!.isBacklogged = false }
    }
    for row in rows {
      guard let name = row[0], let id = row[1].flatMap(Int64.init), let host = row[2] else { continue }
      if row[6] == "t" { surfaces[name]!.isBacklogged = true }
      let input = row[4].flatMap { try? SharedInput(text: $0) }
      let requested = input?.requested
      let isValid =
        requested?.description == row[3] && (requested.map { row[5] == "f" && used.insert($0).inserted } ?? true)
      surfaces[name]!.inFlight[id] = .some(requested)
      surfaces[name]!.coordinator.send { $0.receive(isValid ? input : nil, from: host, row: id) }
    }
  }

  /// Sends the progress of this host's sheets, and takes that of the others.
  func exchangeProgress(_ name: String, _ connection: PostgreSQLConnection) throws {
    guard let surface = surfaces[name] else { return }
    for (id, progress) in surface.progress {
      try connection.query(
        "SELECT router.report($1, $2, $3, $4)",
        [id.description, name, progress.map { "\($0.fraction)" }, progress.flatMap(\.label)])
      surfaces[name]!.progress[id] = nil
    }
    if surface.progress.values.contains(where: { $0 != nil }) { announce(["p" + name]) }
    guard surface.mayHaveProgress else { return }
    surfaces[name]!.mayHaveProgress = false
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

  /// Shows that this host is alive, and looks after the leaders and the other hosts.
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
    // Another host takes the lead of one with a wrong clock. If there is none, it goes on.
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
      guard let name = row[0], let epoch = row[2].flatMap(Int64.init), surfaces[name] != nil else { continue }
      let isFree = row[3] == "t" || row[1].flatMap { hosts[$0] } == .disconnected
      try look(after: name, leader: row[1], epoch: epoch, isFree: isFree, lease, hosts, connection)
    }
    lookAfter(hosts)
  }

  /// Compares this host's clock with the database's.
  ///
  /// - Parameter sent: When the database was asked.
  private func noteClock(_ time: Timestamp, since sent: Timestamp) {
    let wasRight = isClockRight
    // The database read its clock at some time since.
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
    after name: String, leader: String?, epoch: Int64, isFree: Bool, _ lease: String, _ hosts: [String: Presence],
    _ connection: PostgreSQLConnection
  ) throws {
    let surface = surfaces[name]!
    if surface.isLeading {
      if leader == configuration.host, epoch == surface.epoch {
        surfaces[name]!.isCaughtUp = true
        surface.coordinator.send { $0.connected() }
      } else {
        // It finds out by a commit, so that nothing that was recorded is lost.
        surface.coordinator.send { $0.checkLeadership() }
      }
      return
    }
    if leader == configuration.host, epoch == surface.epoch, !isFree {
      // It led, and could not record anything.
      return try giveBack(name, connection)
    }
    let canFollow = surface.isCaughtUp && surface.failure == nil
    if mayLead, isFree || leader == configuration.host, canFollow, isClockRight, surface.mayLeadFrom <= now {
      let taken = try connection.query(
        "SELECT router.lead($1, $2, $3::interval)", [name, "\(epoch)", lease]
      ).first?[0].flatMap(Int64.init)
      if let taken { return try takeOver(name, epoch: taken, awaiting: hosts.filter { $1 == .here }.keys, connection) }
    }
    if surface.isCaughtUp { surface.coordinator.send { $0.connected() } }
    if surface.epoch != epoch, !isFree {
      surfaces[name]!.epoch = epoch
      surfaces[name]!.mayHaveEvents = true
      surface.coordinator.send { $0.reportPresenters() }
    }
  }

  private func takeOver(
    _ name: String, epoch: Int64, awaiting hosts: some Sequence<String>, _ connection: PostgreSQLConnection
  ) throws {
    (surfaces[name]!.mayHaveEvents, surfaces[name]!.isCaughtUp) = (true, false)
    // Nobody else can record anything from now on.
    try follow([name], connection)
    guard surfaces[name]!.isCaughtUp else { return try giveBack(name, connection) }
    let hosts = Set(hosts)
    (surfaces[name]!.epoch, surfaces[name]!.isLeading) = (epoch, true)
    surfaces[name]!.mayHaveInputs = true
    surfaces[name]!.showAt = hosts.isEmpty ? nil : now + .seconds(1)
    surfaces[name]!.primary.lead(epoch: epoch)
    surfaces[name]!.coordinator.send { coordinator in
      coordinator.connected()
      coordinator.takeOver(awaiting: hosts)
    }
    logger.notice("leading a shared surface", metadata: ["surface": "\(name)", "epoch": "\(epoch)"])
    announce(["l" + name])
  }

  /// Leaves the lead of a surface that this host cannot follow or record to another, and tries again later.
  private func giveBack(_ name: String, _ connection: PostgreSQLConnection) throws {
    surfaces[name]!.mayLeadFrom = now + configuration.silence
    logger.error(
      "gave back the lead of a shared surface, which this host cannot record",
      metadata: ["surface": "\(name)", "retryInSeconds": "\(configuration.silence.milliseconds / 1000)"])
    try connection.query("SELECT router.renew($1, '-1 second')", [[name].arrayLiteral])
    announce(["l" + name])
  }

  private enum Presence: Sendable {
    /// Connected, and heard of lately.
    case here
    /// Connected, but silent.
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

  /// Ends the requests and presenters of hosts that are gone. A host that lost only its connection is back within a
  /// second, and so are all after a restart of the database.
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
    for (name, surface) in surfaces {
      guard let time = surface.showAt, time <= now else { continue }
      surfaces[name]!.showAt = nil
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

  /// The presentation that it requests.
  var requested: PresentationID? {
    if case .input(.request(let ask)) = self { ask.id } else { nil }
  }
}

extension Duration {
  /// PostgreSQL's text of an interval.
  var interval: String { "\(milliseconds) milliseconds" }

  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
#endif
