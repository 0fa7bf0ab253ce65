import Router
import RouterCore
import TestSupport

@testable import routerd

/// A program or a person, as a state machine that acts on replies and on the time.
class Program {
  let simulation: Simulation
  let number: Int
  let peer: Peer
  let machine: Machine
  private var acts: [HTTPClient] = []

  var world: World { simulation.world }
  var facts: Facts { simulation.facts }
  var name: String { "\(type(of: self)) \(number)" }

  init(_ simulation: Simulation, number: Int, uid: UInt32) {
    (self.simulation, self.number) = (simulation, number)
    machine = simulation.machines[number % simulation.machines.count]
    let pid = Int32(7_000_000 + 10 * number)
    // A program that a shell has started.
    let ancestry = [
      ProcessIdentity.Ancestor(pid: pid, started: 2, executable: "/usr/bin/program"),
      ProcessIdentity.Ancestor(pid: pid + 1, started: 1, executable: "/usr/bin/bash"),
    ]
    peer = Peer(
      process: ProcessIdentity(
        uid: uid, gid: uid, pid: pid, executable: "/usr/bin/program", directory: "/home/ada", ancestry: ancestry))
  }

  func begin() {}

  func after(_ mean: Duration, _ body: @escaping () -> Void) {
    var delay = world.random.duration(around: mean)
    // Many act at the same moment.
    if world.random.chance(30) { delay = .seconds(((world.now + delay).components.seconds / 5 + 1) * 5) - world.now }
    world.after(delay, body)
  }

  func client() -> HTTPClient {
    HTTPClient(world) { [machine, peer] in try? machine.daemon?.connect(peer, to: $0) }
  }

  /// Sends a request on an idle or new connection. A reply must come soon.
  func call(
    _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: JSONText? = nil,
    done: @escaping (HTTPClient.Reply?) -> Void
  ) {
    let client = acts.first { !$0.isBusy } ?? client()
    if !acts.contains(where: { $0 === client }) { acts.append(client) }
    let life = machine.life
    var isDone = false
    let timer = world.after(.seconds(30)) { [self] in
      if !isDone, life == machine.life, machine.daemon != nil { world.violate("\(name): no reply to \(method) \(path)") }
    }
    client.send(method, path, headers, body) { [self] reply in
      isDone = true
      world.cancel(timer)
      note(reply, "\(method) \(path)")
      done(reply)
    }
  }

  func note(_ reply: HTTPClient.Reply?, _ what: String) {
    world.tell("\(name): \(what) → \(reply?.status ?? 0) \(String(decoding: reply?.body.prefix(300) ?? [], as: UTF8.self))")
    if let reply, reply.status >= 500, reply.status != 503 { world.violate("\(name): \(what) → \(reply.status)") }
  }
}

/// Asks, and waits for the outcome.
final class Requester: Program {
  private enum Mode: CaseIterable { case attached, stream, detached, waiting }

  private struct Ask {
    let request: PresentationRequest
    let mode: Mode
    let key: String?
    var id: PresentationID?
    var outcome: PresentationOutcome?
    /// Whether it was sent again after its outcome, by a program that did not keep it.
    var isRepeated = false

    var hasOutcome: Bool { outcome != nil }
    var isAttached: Bool { mode == .attached || mode == .stream }
  }

  private var ask: Ask?
  private lazy var asking = client()
  /// Asks on top of its prompt.
  private lazy var stacking = client()

  var state: String {
    ask.map { "\($0.request.title ?? "") \($0.mode) \($0.id.map(\.description) ?? "-") \(asking.isBusy)" } ?? "idle"
  }
  var isDone: Bool { ask == nil }

  init(_ simulation: Simulation, number: Int) {
    super.init(simulation, number: number, uid: UInt32(1000 + number % 3))
  }

  override func begin() {
    after(.seconds(20)) { [self] in
      guard simulation.isOpen else { return }
      start()
    }
  }

  private func start() {
    let number = simulation.nextPrompt()
    let request = request(number)
    let mode = world.random.pick(request.options.sensitive ? [.attached, .stream] : Mode.allCases)
    let isKeyed = world.random.chance(50)
    ask = Ask(request: request, mode: mode, key: isKeyed ? "key-\(number)" : nil)
    send()
  }

  private static let buttons = [
    PresentationRequest.Button(id: "yes", label: "Yes"), PresentationRequest.Button(id: "no", label: "No", role: .cancel),
  ]

  /// The act that the rules of administrators are about.
  private static let ruled = Act("Bash", object: "git status", arguments: ["git", "status"], directory: "/home/ada")

  private func request(_ number: Int) -> PresentationRequest {
    var request = PresentationRequest(kind: .alert, title: "Prompt \(number)?", buttons: Self.buttons)
    request.options.app = "program\(self.number % 5)"
    request.options.surface = world.random.chance(80) ? "main" : "second"
    switch world.random.below(10) {
    case 0, 1:
      request = PresentationRequest(kind: .sheet, title: "Prompt \(number)?", sheet: "secret")
      request.options.app = "program\(self.number % 5)"
      request.options.sensitive = true
      // A sensitive answer may not leave its host.
      request.options.surface = "second"
    case 2, 3:
      request.act = Act("Bash", object: "npm test", arguments: ["npm", "test"], directory: "/home/ada")
      request.remember = PresentationRequest.Remember(periods: [.seconds(900), .always])
    case 4: request.act = Self.ruled
    case 5:
      request.require = PresentationRequest.Requirement(2)
      request.options.timeout = .seconds(600)
    default: break
    }
    if world.random.chance(15) { request.options.priority = .high }
    if world.random.chance(15) { request.options.timeout = .seconds(30 + world.random.below(200)) }
    if world.random.chance(20) {
      request.onDismiss = try? PresentationRequest.CallbackAddress("http+unix://%2Fsimulated/done")
    }
    return request
  }

  /// Sends the request, again after a lost connection if it has a key.
  private func send() {
    guard let ask else { return }
    var headers: [String: String] = [:]
    if let key = ask.key { headers["Idempotency-Key"] = key }
    switch ask.mode {
    case .attached: break
    case .stream: headers["Accept"] = "text/event-stream"
    case .detached: headers["Prefer"] = "respond-async"
    case .waiting: headers["Prefer"] = "wait=\(1 + world.random.below(60))"
    }
    if ask.mode != .detached, world.random.chance(10) {
      // An impatient one hangs up, and forgets the prompt.
      later(.seconds(60)) { [self] in
        guard asking.isBusy, let ask = self.ask else { return }
        if ask.isAttached, let title = ask.request.title { facts.hidden[title] = world.now + .seconds(2) }
        asking.hangUp()
        finish()
      }
    }
    let told: ((ServerSentEvent) -> Void)? = ask.mode == .stream ? { [self] in self.told($0) } : nil
    let isNew = asking.connection == nil
    asking.send("POST", "/v1/presentations", headers, JSONText(ask.request), told: told) { [self] in replied($0) }
    guard asking.isBusy else { return }
    facts.asked[ask.request.title ?? "", default: 0] += 1
    facts.hidden[ask.request.title ?? ""] = nil
    if isNew, world.random.chance(10) { asking.closeSending() }
  }

  /// Goes on with the same prompt after a while.
  private func later(_ mean: Duration = .seconds(1), _ body: @escaping () -> Void) {
    let title = ask?.request.title
    after(mean) { [self] in if let ask, ask.request.title == title { body() } }
  }

  private func told(_ event: ServerSentEvent) {
    switch event.name {
    case "queued", "presented":
      guard let id = id(event.data["id"]) else { return }
      accepted(id)
      if event.name == "presented", !stacking.isBusy, world.random.chance(20) { stack(on: id) }
    case "resolved": if let presentation = try? Presentation(json: event.data) { ended(presentation) }
    default: break
    }
  }

  /// Asks something else on top of its prompt.
  private func stack(on id: PresentationID) {
    guard let below = ask?.request, simulation.isOpen else { return }
    let title = "Prompt \(simulation.nextPrompt())?"
    var request = PresentationRequest(kind: .alert, title: title, buttons: Self.buttons)
    (request.options.app, request.options.surface, request.over) = (below.options.app, below.options.surface, id)
    facts.asked[title] = 1
    stacking.send("POST", "/v1/presentations", [:], JSONText(request)) { [self] reply in
      note(reply, "stack on \(id)")
      guard let reply else { return }
      guard reply.status == 200 else {
        if reply.isRefusal { facts.asked[title] = 0 }
        return
      }
      guard let presentation = reply.json.flatMap({ try? Presentation(json: $0) }), let outcome = presentation.outcome else {
        return world.violate("\(name): no outcome of \(title)")
      }
      facts.ended[presentation.id] = outcome
    }
  }

  private func id(_ json: JSONValue?) -> PresentationID? { json?.string.flatMap(PresentationID.init) }

  private func accepted(_ id: PresentationID) {
    guard let title = ask?.request.title else { return }
    ask?.id = id
    facts.accepted[id] = title
  }

  private func replied(_ reply: HTTPClient.Reply?) {
    note(reply, "ask")
    guard let ask else { return }
    guard let reply else {
      // The daemon may be gone, or the connection was lost after the outcome.
      if ask.isAttached, let title = ask.request.title { facts.hidden[title] = world.now }
      guard !ask.hasOutcome, ask.key != nil else { return finish() }
      // A leader may have interrupted it meanwhile, and its key is free again.
      if simulation.plan.hosts > 1 { self.ask?.id = nil }
      return later { [self] in send() }
    }
    switch reply.status {
    case 200 where ask.mode == .stream: finish()
    case 200:
      guard let json = reply.json, let presentation = try? Presentation(json: json) else {
        return world.violate("\(name): no presentation in \(String(decoding: reply.body, as: UTF8.self))")
      }
      ended(presentation)
      finish()
    case 202:
      guard let id = id(reply.json?["id"]) else { return world.violate("\(name): 202 without an id") }
      accepted(id)
      wait(for: id)
    case 503, 429:
      // A log that cannot be written may outlast the time in which a requester can come back.
      if !ask.hasOutcome { self.ask?.id = nil }
      if reply.isRefusal { facts.asked[ask.request.title ?? "", default: 0] -= 1 }
      later { [self] in send() }
    case 403 where ask.request.act == Self.ruled:
      facts.asked[ask.request.title ?? "", default: 0] -= 1
      finish()
    default: world.violate("\(name): asked, and got \(reply.status) \(String(decoding: reply.body, as: UTF8.self))")
    }
  }

  /// Waits for the outcome of a detached prompt.
  private func wait(for id: PresentationID) {
    asking.send("GET", "/v1/presentations/\(id)", ["Prefer": "wait=30"]) { [self] reply in
      note(reply, "wait for \(id)")
      guard let reply, reply.status == 200, let json = reply.json, let presentation = try? Presentation(json: json) else {
        guard reply == nil || reply?.status == 503 else {
          return world.violate("\(name): accepted \(id) and then \(reply?.status ?? 0)")
        }
        return later { [self] in wait(for: id) }
      }
      guard presentation.state == .resolved else { return wait(for: id) }
      ended(presentation)
      finish()
    }
  }

  private func ended(_ presentation: Presentation) {
    guard let ask else { return }
    guard let outcome = presentation.outcome else { return world.violate("\(name): ended without an outcome") }
    if presentation.request.title != ask.request.title { world.violate("\(name): got the outcome of \(presentation.id)") }
    if let id = ask.id, id != presentation.id { world.violate("\(name): asked \(id), and \(presentation.id) ended") }
    // A leader interrupts the prompts of a host that it has not heard of for seconds.
    if outcome == .cancelled(.interrupted), !machine.isStopping, simulation.plan.hosts == 1 {
      world.violate("\(presentation.id) was interrupted while \(name) waited")
    }
    self.ask?.outcome = outcome
    if let before = facts.ended.updateValue(outcome.withoutSecret(presentation.request), forKey: presentation.id),
      before != outcome.withoutSecret(presentation.request)
    {
      world.violate("\(presentation.id) ended as \(before) and as \(outcome)")
    }
    if case .answered(.button("yes")) = outcome, let act = presentation.request.act, world.random.chance(50) {
      let report = ActReport(act: act.digest, .status(0))
      // One of several must be recorded at most.
      for _ in 0...world.random.below(2) {
        call("PUT", "/v1/presentations/\(presentation.id)/ran", [:], JSONText(report)) { [self] reply in
          guard let reply, ![204, 409, 503].contains(reply.status) else { return }
          world.violate("\(name): reported the result of \(presentation.id), and got \(reply.status)")
        }
      }
    }
  }

  private func finish() {
    if let ask, let outcome = ask.outcome, ask.key != nil, !ask.isRepeated, world.random.chance(20) {
      self.ask?.isRepeated = true
      if outcome.freesKey {
        self.ask?.id = nil
        self.ask?.outcome = nil
      }
      return later(.seconds(5)) { [self] in send() }
    }
    ask = nil
    begin()
  }
}

extension PresentationOutcome {
  /// As the record has it.
  func withoutSecret(_ request: PresentationRequest) -> PresentationOutcome {
    if request.options.sensitive, case .answered = self { .answered(.redacted) } else { self }
  }
}

extension Facts.Showing {
  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.string.flatMap(PresentationID.init), let generation = json["generation"]?.number?.integer else {
      return nil
    }
    self.init(id: id, generation: generation)
  }
}

/// What a person sees of a prompt.
private struct Prompt {
  let showing: Facts.Showing
  let title: String
  let surface: String
  let isSensitive: Bool
  let mayBeRemembered: Bool

  init?(_ event: JSONValue) {
    guard let presentation = event["presentation"], let showing = Facts.Showing(presentation) else { return nil }
    self.showing = showing
    let request = presentation["request"]
    title = request?["title"]?.string ?? ""
    surface = request?["surface"]?.string ?? "main"
    isSensitive = request?["sensitive"] == true
    mayBeRemembered = presentation["offer"] != nil
  }
}

/// Presents, and decides what to do with each prompt.
final class Person: Program {
  private lazy var stream = client()
  /// The prompt on the screen.
  private var shown: Facts.Showing?
  /// The prompt that the last event of the stream showed.
  private var told: Facts.Showing?
  private var surface: String { number / simulation.machines.count % 4 == 3 ? "second" : "main" }

  init(_ simulation: Simulation, number: Int) {
    super.init(simulation, number: 120 + number, uid: UInt32(1000 + number % 2))
  }

  override func begin() {
    after(.seconds(5)) { [self] in attach() }
  }

  private func attach() {
    guard !stream.isBusy else { return }
    told = nil
    stream.send("GET", "/v1/surfaces/\(surface)/stream?name=person\(number)") { [self] event in
      told(event)
    } done: { [self] reply in
      note(reply, "present")
      shown = nil
      after(.seconds(2)) { [self] in attach() }
    }
  }

  private func told(_ event: ServerSentEvent) {
    world.tell("\(name) \(event.name) \(event.data)")
    // It may arrive after the next prompt.
    if event.name == "withdraw" {
      told = nil
      if Facts.Showing(event.data) == shown { shown = nil }
    }
    guard event.name == "present" else { return }
    guard let prompt = Prompt(event.data) else { return world.violate("\(name): cannot read \(event.data)") }
    if prompt.surface != surface { world.violate("\(name): was shown a prompt of another surface") }
    if prompt.showing == told { world.violate("\(name): was told twice to show \(prompt.showing)") }
    told = prompt.showing
    checkRequester(of: prompt)
    facts.shown.append(prompt.showing)
    shown = prompt.showing
    after(.seconds(8)) { [self] in
      if shown == prompt.showing { checkRequester(of: prompt) }
      // Mostly a person sees that a prompt is gone.
      if shown == prompt.showing || world.random.chance(10) { decide(prompt) }
    }
  }

  private func checkRequester(of prompt: Prompt) {
    // Other hosts learn of it later.
    guard simulation.plan.hosts == 1, let time = facts.hidden[prompt.title], world.now > time else { return }
    world.violate("\(name): is shown \(prompt.title), whose requester is gone")
  }

  private func decide(_ prompt: Prompt) {
    switch world.random.below(100) {
    case ..<70: answer(prompt)
    case ..<75:
      answer(prompt)
      answer(prompt)
    case ..<78: act(Verbs.Dismiss(), prompt)
    case ..<82: act(Verbs.Snooze(for: .seconds(10 + world.random.below(50))), prompt)
    case ..<84: act(Verbs.PauseSession(for: .seconds(60 + world.random.below(100))), prompt)
    case ..<86: act(Verbs.Fail("no screen"), prompt)
    case ..<90:
      stream.hangUp()
      shown = nil
      after(.seconds(5)) { [self] in attach() }
    // Late: the prompt is shown again, or is over.
    default: after(.seconds(60)) { [self] in answer(prompt) }
    }
  }

  private func answer(_ prompt: Prompt) {
    let answer: PresentationAnswer
    if prompt.isSensitive {
      let secret = "\(Facts.secret)\(world.random.next())"
      answer = .value(.string(secret))
    } else {
      answer = .button(world.random.chance(70) ? "yes" : "no")
    }
    let sent = Facts.Sent(showing: prompt.showing, answer: prompt.isSensitive ? .redacted : answer)
    facts.sent[sent, default: 0] += 1
    var extra = AnswerExtra()
    if prompt.mayBeRemembered, world.random.chance(50) {
      extra.remember = GrantChoice(for: world.random.chance(30) ? .always : .seconds(900))
    }
    act(Verbs.Answer(answer, extra), prompt) { [self] reply in
      if reply?.status == 200 { facts.confirmed.insert(sent) }
      if reply?.isRefusal == true { facts.sent[sent, default: 0] -= 1 }
    }
  }

  private func act<Kind: Verb>(
    _ verb: Kind, _ prompt: Prompt, done: @escaping (HTTPClient.Reply?) -> Void = { _ in }
  ) {
    let body = JSONText(ActBody(verb, generation: prompt.showing.generation))
    guard case .post(let path)? = Kind.call else { return }
    call("POST", "/v1/presentations/\(prompt.showing.id)/\(path)", [:], body) { [self] reply in
      done(reply)
      // Tries again when the disk may work.
      if reply?.status == 503 { after(.seconds(20)) { [self] in if shown == prompt.showing { decide(prompt) } } }
    }
  }
}

/// Revokes remembered answers, cancels prompts, and changes the rules.
final class Administrator: Program {
  init(_ simulation: Simulation, number: Int) { super.init(simulation, number: 240 + number, uid: 0) }

  /// A rule that allows an act of some users, one that denies it, and one that has a person asked.
  private static let rules = ["allow", "deny", "ask"].map { verb in
    let act: JSONValue = ["verb": "Bash", "argv": ["git", "status"]]
    return try? Rule(json: ["id": "git", "match": ["user": [1000, 1001], "act": act], "then": .string(verb)], at: "")
  }

  override func begin() {
    after(.seconds(40)) { [self] in work() }
  }

  private func work() {
    call("GET", "/v1/grants") { [self] reply in
      after(.seconds(60)) { [self] in work() }
      guard let grants = reply?.json?["grants"]?.array, world.random.chance(50), !grants.isEmpty,
        let id = world.random.pick(grants)["id"]?.string.flatMap(GrantID.init)
      else { return }
      call("DELETE", "/v1/grants/\(id)") { [self] reply in
        if reply?.status == 200 { facts.revoked.insert(id) }
      }
    }
    if world.random.chance(20) {
      machine.daemon?.load([world.random.pick(Self.rules)].compactMap(\.self))
    }
    if world.random.chance(20) {
      call("GET", "/v1/presentations?limit=5") { [self] reply in
        guard let open = reply?.json?["presentations"]?.array, !open.isEmpty, let id = world.random.pick(open)["id"]?.string
        else {
          return
        }
        call("DELETE", "/v1/presentations/\(id)") { _ in }
      }
    }
  }
}

/// Reads the record while it is written.
final class LogReader: Program {
  init(_ simulation: Simulation, number: Int) { super.init(simulation, number: 300 + number, uid: 1000) }

  override func begin() {
    after(.seconds(30)) { [self] in
      call("GET", world.random.pick(["/v1/log?limit=20", "/v1/log/events?limit=20", "/v1/log/stats", "/v1/presentations"])) {
        [self] reply in
        if let reply, reply.status != 200, reply.status != 503 {
          world.violate("\(name): read the record, and got \(reply.status)")
        }
        begin()
      }
    }
  }
}

/// Takes the callbacks of all requesters.
final class CallbackTaker: CallbackSender, @unchecked Sendable {
  private let world: World
  private let facts: Facts

  init(_ world: World, _ facts: Facts) { (self.world, self.facts) = (world, facts) }

  func send(_ presentation: Presentation, to address: PresentationRequest.CallbackAddress) async throws {
    try await world.clock.sleep(for: .milliseconds(world.random.below(3000)))
    guard world.random.chance(80) else { throw RouterError(.forbidden, "nobody listens") }
    guard let outcome = presentation.outcome else { return world.violate("called back without an outcome") }
    if let before = facts.calledBack.updateValue(outcome, forKey: presentation.id), before != outcome {
      world.violate("called back with two outcomes")
    }
  }
}
