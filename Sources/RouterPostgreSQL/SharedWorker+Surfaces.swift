#if PostgreSQL
import Logging
import Router

extension SharedWorker {
  /// Puts this host's inputs into the inbox. A row that is already there, from before a lost reply, is kept.
  func sendInputs(_ connection: PostgreSQLConnection) throws {
    let names = surfaces.filter { !$0.value.outbox.isEmpty }.keys.sorted()
    guard !names.isEmpty else { return }
    let rows = names.flatMap { name in surfaces[name]!.outbox.prefix(1000).map { (name, $0.number, $0.text) } }
    try connection.query(
      """
      INSERT INTO router.surfaces (name) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING
      """, [names.map { Optional($0) }.arrayLiteral])
    try connection.query(
      """
      INSERT INTO router.inbox (surface, host, process, number, input)
      SELECT surface, $1, $2, number, input FROM unnest($3::text[], $4::bigint[], $5::text[]) AS t (surface, number, input)
      ON CONFLICT DO NOTHING
      """,
      [
        configuration.host, "\(process)", rows.map { Optional($0.0) }.arrayLiteral,
        rows.map { Optional("\($0.1)") }.arrayLiteral, rows.map { Optional($0.2) }.arrayLiteral,
      ])
    for name in names {
      let count = min(1000, surfaces[name]!.outbox.count)
      surfaces[name]!.sent = surfaces[name]!.outbox[count - 1].number
      surfaces[name]!.outbox.removeFirst(count)
      surfaces[name]!.mayHaveInputs = true
    }
    try notify(names.filter { !surfaces[$0]!.isLeading }.map { "i" + $0 }, connection)
  }

  /// Copies what another host has recorded, and takes the replies to this host's inputs.
  func follow(_ name: String, _ connection: PostgreSQLConnection) throws {
    guard let surface = surfaces[name], surface.mayHaveEvents else { return }
    let coordinator = surface.coordinator
    // Read before the events, which are recorded with them or earlier.
    let replies = try connection.query(
      """
      SELECT number, reply FROM router.inbox
      WHERE surface = $1 AND host = $2 AND process = $3 AND number > $4 AND processed IS NOT NULL ORDER BY number
      """, [name, configuration.host, "\(process)", "\(surface.replied)"])
    if !surface.isLeading { try copy(name, connection) }
    for row in replies {
      guard let number = row[0].flatMap(Int.init), let reply = try row[1].map(SharedReply.init(text:)) else { continue }
      surfaces[name]!.replied = number
      coordinator.send { $0.replied(to: number, reply) }
    }
    surfaces[name]!.mayHaveEvents = false
  }

  private func copy(_ name: String, _ connection: PostgreSQLConnection) throws {
    guard let surface = surfaces[name] else { return }
    let limit = 500
    while true {
      let head = surface.log.head
      if !surface.isCaughtUp, head.seq > 0 { try checkCopy(of: name, head, connection) }
      let rows = try connection.query(
        """
        SELECT seq, at, type, presentation, detail, hash FROM router.events
        WHERE surface = $1 AND seq > $2 ORDER BY seq LIMIT \(limit)
        """, [name, "\(head.seq)"])
      let records = rows.compactMap { row in
        row[0].flatMap(Int64.init).map { seq in
          AuditRecord(
            seq: seq, at: row[1] ?? "", type: row[2] ?? "", presentation: row[3], detail: row[4] ?? "",
            hash: row[5].flatMap([UInt8].init(byteLiteral:)) ?? [])
        }
      }
      if let first = records.first {
        let start = head.seq == 0 && first.seq > 1 ? try lastPruning(of: name, connection) : nil
        let events = try surface.log.copy(records, after: start)
        surface.coordinator.send { coordinator in
          if let start {
            coordinator.begin(with: start.carried.filter { $0.state != .resolved }, lastNumber: start.lastNumber)
          }
          coordinator.follow(events)
        }
        // Removes from the copy what the leader has pruned.
        if events.contains(where: { $0.kind == .pruned }) { Task { [log = surface.log] in try? await log.sweep() } }
      }
      if records.count < limit { break }
    }
    surfaces[name]!.isCaughtUp = true
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

  /// Checks that the record still contains the end of this host's copy. It does not if it was restored from a backup.
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

  /// Passes inputs in the inbox to the coordinator of a surface that this host leads.
  func takeInputs(_ name: String, _ connection: PostgreSQLConnection) throws {
    guard let surface = surfaces[name], surface.isLeading, surface.mayHaveInputs else { return }
    let limit = 500
    let rows = try connection.query(
      """
      SELECT id, host, input FROM router.inbox WHERE surface = $1 AND processed IS NULL ORDER BY id LIMIT \(limit)
      """, [name])
    let inputs = rows.compactMap { row -> (row: Int64, host: String, input: SharedInput?)? in
      guard let id = row[0].flatMap(Int64.init), let host = row[1], surface.inFlight[id] == nil else { return nil }
      return (id, host, row[2].flatMap { try? SharedInput(text: $0) })
    }
    var used = try recorded(inputs.compactMap { $0.input?.requested }, on: name, connection)
    used.formUnion(surface.inFlight.values.compactMap(\.self))
    for (row, host, input) in inputs {
      let requested = input?.requested
      // The hosts choose the ids. One that is used twice would mix up two presentations.
      let isUnique = requested.map { used.insert($0).inserted } ?? true
      surfaces[name]!.inFlight[row] = .some(requested)
      surface.coordinator.send { $0.receive(isUnique ? input : nil, from: host, row: row) }
    }
    surfaces[name]!.mayHaveInputs = rows.count == limit
  }

  /// Returns those of the presentations that are on record.
  private func recorded(
    _ ids: [PresentationID], on name: String, _ connection: PostgreSQLConnection
  ) throws -> Set<PresentationID> {
    guard !ids.isEmpty else { return [] }
    let rows = try connection.query(
      """
      SELECT presentation FROM router.events
      WHERE type = 'requested' AND surface = $1 AND presentation = ANY ($2::text[])
      """, [name, ids.map { Optional($0.description) }.arrayLiteral])
    return Set(rows.compactMap { $0[0].flatMap(PresentationID.init) })
  }

  /// Sends the progress of this host's sheets, and takes that of the others.
  func exchangeProgress(_ name: String, _ connection: PostgreSQLConnection) throws {
    guard let surface = surfaces[name] else { return }
    for (id, progress) in surface.progress {
      if let progress {
        try connection.query(
          """
          INSERT INTO router.progress (presentation, surface, host, fraction, label) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (presentation, host) DO UPDATE SET fraction = EXCLUDED.fraction, label = EXCLUDED.label
          """, [id.description, name, configuration.host, "\(progress.fraction)", progress.label])
      } else {
        try connection.query("DELETE FROM router.progress WHERE presentation = $1", [id.description])
      }
      surfaces[name]!.progress[id] = nil
    }
    if surface.progress.values.contains(where: { $0 != nil }) { try notify(["p" + name], connection) }
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
    try connection.query(
      "UPDATE router.hosts SET seen = clock_timestamp() WHERE name = $1", [configuration.host])
    if surfaces.values.contains(where: \.isLeading) {
      try connection.query(
        """
        UPDATE router.surfaces SET expires = clock_timestamp() + $3::interval
        WHERE leader = $1 AND name = ANY($2::text[])
        """, [configuration.host, surfaces.filter(\.value.isLeading).keys.map { Optional($0) }.arrayLiteral, lease])
    }
    let hosts = try others(connection)
    let rows = try connection.query(
      """
      SELECT name, leader, epoch, leader IS NULL OR expires <= clock_timestamp() OR router.is_gone(leader)
      FROM router.surfaces WHERE name = ANY($1::text[])
      """, [names])
    for row in rows {
      guard let name = row[0], let epoch = row[2].flatMap(Int64.init), surfaces[name] != nil else { continue }
      try look(after: name, leader: row[1], epoch: epoch, isFree: row[3] == "t", lease, hosts, connection)
    }
    lookAfter(hosts)
  }

  private func look(
    after name: String, leader: String?, epoch: Int64, isFree: Bool, _ lease: String, _ hosts: [String: Bool],
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
    if mayLead, surface.isCaughtUp, isFree || leader == configuration.host {
      let taken = try connection.query(
        "SELECT router.lead($1, $2, $3::interval)", [name, "\(epoch)", lease]
      ).first?[0].flatMap(Int64.init)
      if let taken { return try takeOver(name, epoch: taken, awaiting: hosts.filter { !$1 }.keys, connection) }
    }
    if surface.isCaughtUp { surface.coordinator.send { $0.connected() } }
    if surface.epoch != epoch, !isFree {
      (surfaces[name]!.epoch, surfaces[name]!.leader) = (epoch, leader)
      surfaces[name]!.mayHaveEvents = true
      surface.coordinator.send { $0.reportPresenters() }
    }
  }

  private func takeOver(
    _ name: String, epoch: Int64, awaiting hosts: some Sequence<String>, _ connection: PostgreSQLConnection
  ) throws {
    surfaces[name]!.mayHaveEvents = true
    // Nobody else can record anything from now on.
    try follow(name, connection)
    let hosts = Set(hosts)
    (surfaces[name]!.epoch, surfaces[name]!.leader, surfaces[name]!.isLeading) = (epoch, configuration.host, true)
    surfaces[name]!.mayHaveInputs = true
    surfaces[name]!.showAt = hosts.isEmpty ? nil : now + .seconds(1)
    surfaces[name]!.primary.lead(epoch: epoch)
    surfaces[name]!.coordinator.send { coordinator in
      coordinator.connected()
      coordinator.takeOver(awaiting: hosts)
    }
    logger.notice("leading a shared surface", metadata: ["surface": "\(name)", "epoch": "\(epoch)"])
    try notify(["l" + name], connection)
  }

  /// The other hosts, and whether each is gone.
  private func others(_ connection: PostgreSQLConnection) throws -> [String: Bool] {
    let rows = try connection.query(
      """
      SELECT name, router.is_gone(name), coalesce(seen < clock_timestamp() - $2::interval, true)
      FROM router.hosts WHERE name <> $1
      """, [configuration.host, configuration.silence.interval])
    return Dictionary(rows.compactMap { row in row[0].map { ($0, row[1] == "t" || row[2] == "t") } }) { $1 }
  }

  /// Ends the requests and presenters of hosts that are gone. A host that lost only its connection is back within a
  /// second, and so are all after a restart of the database.
  private func lookAfter(_ hosts: [String: Bool]) {
    for (host, isGone) in hosts {
      guard isGone else {
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

extension SharedReply {
  init(text: String) throws { try self.init(json: JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth)) }
}

extension SharedInput {
  /// The presentation that it requests.
  fileprivate var requested: PresentationID? {
    if case .input(.request(let ask)) = self { ask.id } else { nil }
  }

  init(text: String) throws { try self.init(json: JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth)) }
}

extension Duration {
  /// PostgreSQL's text of an interval.
  var interval: String { "\(milliseconds) milliseconds" }

  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
#endif
