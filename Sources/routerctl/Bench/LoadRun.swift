import Router

/// Puts a load on a daemon: one thread that waits for all connections at once, those of the requesters and those of the
/// presenters that answer them.
final class LoadRun {
  private enum Role {
    /// Asks on a surface, one after the other.
    case requester(surface: Int)
    /// Hears what a surface shows.
    case stream
    /// Carries one answer at a time.
    case answers
  }

  /// What the requesters do, all together.
  private enum Job {
    case asking
    case takingBack
  }

  private let plan: LoadPlan
  private let path: String
  private let isInterrupted: @Sendable () -> Bool
  private let progress: (Double) -> Void
  private var poll: ReadinessPoll

  private var connections: [(socket: LoadConnection, role: Role)] = []
  /// When a requester's call was sent whose reply has not come.
  private var sendings: [Int: ContinuousClock.Instant] = [:]
  /// What of a stream's event has come.
  private var parsers: [Int: ServerSentEventParser] = [:]
  /// Streams of which the daemon has said that they are attached.
  private var attached: Set<Int> = []
  private var freeForAnswers: [Int] = []

  private var job = Job.asking
  /// How many calls the job is, and how many were sent and have their replies.
  private var count = 0
  private var sent = 0
  private var done = 0
  /// How many answers have their replies.
  private var answered = 0
  private var histogram = LatencyHistogram()
  /// The calls that ask, by surface.
  private let calls: [[UInt8]]
  /// What was detached and nobody is there to answer.
  private var left: [String] = []

  /// How long nothing may happen.
  private static let patience = Duration.seconds(30)

  /// - Parameters:
  ///   - isInterrupted: Whether to stop; asked all the time.
  ///   - progress: Told how much of what is measured is done, from 0 to 1.
  init(
    _ plan: LoadPlan, path: String, isInterrupted: @escaping @Sendable () -> Bool = { false },
    progress: @escaping (Double) -> Void = { _ in }
  ) throws {
    self.plan = plan
    self.path = path
    self.isInterrupted = isInterrupted
    self.progress = progress
    poll = try ReadinessPoll()
    calls = (0..<plan.surfaces).map(plan.ask)
  }

  /// Runs it to its end.
  ///
  /// - Throws: ``RouterError`` for the first call that the daemon refuses, ``CommandFailure`` when it is gone or the run was
  ///   interrupted. What waits for nobody is taken back on every way out on which the daemon is there.
  func run() throws -> LoadReport {
    if plan.isAnswered { try attachPresenters() }
    for index in 0..<plan.requesters { try open(.requester(surface: index % plan.surfaces)) }
    do {
      try ask(plan.warmUp) { _ in }
      let start = ContinuousClock.now
      try ask(plan.count, progress)
      let report = LoadReport(plan: plan, time: ContinuousClock.now - start, histogram: histogram)
      try takeBack()
      return report
    } catch {
      try? takeBack()
      throw error
    }
  }

  // MARK: What is done, in this order

  private func attachPresenters() throws {
    for surface in 0..<plan.surfaces {
      let number = try open(.stream)
      parsers[number] = ServerSentEventParser()
      try connections[number].socket.send(plan.attach(to: surface))
    }
    try turn { attached.count < plan.surfaces }
  }

  private func ask(_ count: Int, _ progress: (Double) -> Void) throws {
    histogram = LatencyHistogram()
    answered = 0
    try begin(.asking, count)
    try turn(progress) { done < count || plan.isAnswered && answered < count }
  }

  private func takeBack() throws {
    guard plan.isDetached, !plan.isAnswered else { return }
    // What was sent must have its reply first, or nobody knows its path.
    count = sent
    try turn(evenIfInterrupted: true) { done < sent }
    try begin(.takingBack, left.count)
    try turn(evenIfInterrupted: true) { done < count }
  }

  private func begin(_ job: Job, _ count: Int) throws {
    (self.job, self.count, sent, done) = (job, count, 0, 0)
    for number in connections.indices {
      if case .requester(let surface) = connections[number].role { try sendNext(number, on: surface) }
    }
  }

  private func sendNext(_ number: Int, on surface: Int) throws {
    guard sent < count else { return }
    sent += 1
    let call = job == .asking ? calls[surface] : LoadPlan.takeBack(left.removeLast())
    // Before it is sent: the daemon may begin while this thread still sends.
    sendings[number] = .now
    try connections[number].socket.send(call)
  }

  // MARK: Connections

  @discardableResult
  private func open(_ role: Role) throws -> Int {
    let socket = try LoadConnection(path: path)
    try poll.add(socket.descriptor, number: connections.count)
    connections.append((socket, role))
    return connections.count - 1
  }

  /// Takes what comes for as long as there is something to wait for.
  private func turn(
    _ progress: (Double) -> Void = { _ in }, evenIfInterrupted: Bool = false, while isWaiting: () -> Bool
  ) throws {
    var lastHeard = ContinuousClock.now
    var heard: [Int] = []
    while isWaiting() {
      guard evenIfInterrupted || !isInterrupted() else { throw CommandFailure(.cancelled, "cannot go on: interrupted") }
      heard.removeAll(keepingCapacity: true)
      poll.wait(upTo: .milliseconds(100)) { heard.append($0) }
      if !heard.isEmpty {
        lastHeard = .now
      } else if ContinuousClock.now - lastHeard >= Self.patience {
        throw CommandFailure(.unreachable, "cannot go on: routerd has said nothing for \(Self.patience.compact)")
      }
      for number in heard { try connections[number].socket.receive { try take($0, from: number) } }
      progress(Double(done) / Double(max(1, count)))
    }
  }

  private func take(_ part: ReplyReader.Part, from number: Int) throws {
    switch (connections[number].role, part) {
    case (.requester(let surface), .reply(let reply)): try take(reply, from: number, on: surface)
    case (.stream, .opened): break
    case (.stream, .chunk(let bytes)):
      // The first event says that the presenter is on record.
      for event in try parsers[number]?.feed(bytes) ?? [] {
        attached.insert(number)
        if event.name == "present" { try answer(event) }
      }
    case (.stream, .reply(let reply)): try reply.check(200, "present")
    case (.answers, .reply(let reply)):
      try reply.check(200, "answer")
      freeForAnswers.append(number)
      answered += 1
    case (.requester, _), (.answers, _): throw Self.misunderstood
    }
  }

  private func take(_ reply: LoadReply, from number: Int, on surface: Int) throws {
    guard let sending = sendings.removeValue(forKey: number) else { throw Self.misunderstood }
    histogram.add(ContinuousClock.now - sending)
    done += 1
    switch job {
    case .asking:
      try reply.check(plan.isDetached ? 202 : 200, "ask")
      if !plan.isAnswered, let path = reply.location { left.append(path) }
    case .takingBack: try reply.check(200, "take back what was asked")
    }
    try sendNext(number, on: surface)
  }

  private func answer(_ event: ServerSentEvent) throws {
    let presentation = event.data["presentation"]
    guard let id = presentation?["id"]?.string.flatMap({ PresentationID($0) }),
      let generation = presentation?["generation"]?.number?.integer
    else { throw Self.misunderstood }
    let number = try freeForAnswers.popLast() ?? open(.answers)
    try connections[number].socket.send(plan.answer(id, generation: generation))
  }

  private static var misunderstood: CommandFailure {
    CommandFailure(.unreachable, "cannot understand what routerd answers")
  }
}
