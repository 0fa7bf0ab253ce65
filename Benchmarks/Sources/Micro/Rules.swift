@testable import Router
@testable import RouterCore
@testable import RouterSystem

/// The state machine alone.
enum Rules {
  static func subjects() throws -> [Micro.Subject] {
    [try step(behind: 0), try step(behind: 10_000)] + (try ruleFile())
  }

  /// A request that fits none of a thousand rules, and the replay of ten thousand recorded ones.
  private static func ruleFile() throws -> [Micro.Subject] {
    let rules = RuleSet(
      file: "/etc/routerd/rules.yaml", text: "",
      rules: try (0..<1000).map { number in
        let match: JSONValue =
          number % 2 == 0
          ? [
            "user": 1000, "ancestor": "/usr/**/agent",
            "act": ["verb": "Bash", "argv": ["git", .string("command-\(number)"), "..."]],
          ] : ["app": .string("agent-\(number)"), "act": ["verb": "Bash", "object": .string("**curl **|**sh-\(number)**")]]
        return try Rule(
          json: ["id": .string("rule-\(number)"), "match": match, "then": number % 2 == 0 ? "allow" : "ask"], at: "")
      })
    var request = PresentationRequest(
      kind: .alert, title: "Run?", buttons: [PresentationRequest.Button(id: "yes", label: "Yes")])
    request.act = Act("Bash", object: "git status --short", arguments: ["git", "status", "--short"], directory: "/s")
    let process = ProcessIdentity(
      uid: 1000, gid: 1000, pid: 60,
      ancestry: [.init(pid: 60, started: 1), .init(pid: 50, started: 1, executable: "/usr/local/bin/agent")])
    let requester = Presentation.Requester(app: "agent", process: process)
    let ids = PresentationIDGenerator()
    let now = PresentationClock.system.wall()
    let recorded = (0..<10_000).map { _ in
      Presentation(
        id: ids.next(at: now), state: .resolved, requester: requester, request: request, requestedAt: now,
        outcome: .answered(.button("yes")), resolvedBy: Presentation.Responder(process: process))
    }
    let hundred = RuleSet(file: "", text: "", rules: Array(rules.rules.prefix(100)))
    return [
      Micro.Subject(name: "decided by 1,000 rules", count: 20) { count in
        for _ in 0..<count { blackHole(rules.decision(on: request, by: requester)) }
      },
      try standing(beside: rules, bytes: 300), try standing(beside: rules, bytes: 4096),
      Micro.Subject(name: "10,000 requests tried on 100 rules", count: 1) { count in
        for _ in 0..<count {
          var replay = RulesReplay(hundred)
          for presentation in recorded { replay.add(presentation) }
          blackHole(replay.changes)
        }
      },
    ]
  }

  /// What a thousand rules and a thousand remembered answers add to a request, whose text has pieces of their patterns.
  private static func standing(beside rules: RuleSet, bytes: Int) throws -> Micro.Subject {
    let process = ProcessIdentity(
      uid: 1000, gid: 1000, pid: 60,
      ancestry: [.init(pid: 60, started: 1), .init(pid: 50, started: 1, executable: "/usr/local/bin/agent")])
    let now = Moment(boot: .seconds(1), wall: PresentationClock.system.wall())
    let ids = PresentationIDGenerator()
    let grants = try (0..<1000).map { number in
      let act = Act("Bash", object: "make target-\(number)", arguments: ["make", "target-\(number)"], directory: "/s")
      return try Grant(
        json: [
          "grant": .string(ids.next(at: now.wall).description), "surface": "main", "button": "yes", "label": "Yes",
          "act": act.json, "match": "exact", "uid": 1000, "app": "agent", "anchor": "agent",
          "session": ["pid": 50, "started": 1, "boot": "b"], "grantedAt": .string(now.wall.description),
          "presentation": .string(ids.next(at: now.wall).description), "by": Presentation.Responder(process: process).json,
        ])
    }
    var request = PresentationRequest(
      kind: .alert, title: "Run?",
      buttons: [
        PresentationRequest.Button(id: "yes", label: "Yes"), PresentationRequest.Button(id: "no", label: "No", role: .cancel),
      ])
    var (text, number) = ("curl |", 1)
    while text.utf8.count < bytes {
      text += " sh-\(number) command-\(number + 1)"
      number += 4
    }
    request.act = Act("Bash", object: String(text.prefix(bytes)), directory: "/s")
    request.remember = PresentationRequest.Remember(matches: [.exact, .prefix], periods: [.session])
    var ask = PresentationAsk(
      id: ids.next(at: now.wall), valid: try ValidRequest(request),
      requester: Presentation.Requester(app: "agent", process: process))
    ask.boot = "b"
    var policy = PresentationSurfaces.Policy()
    policy.grants.longest = .seconds(3600)
    let standing = Standing(grants, rules: rules, at: now)
    return Micro.Subject(name: "\(bytes) bytes beside 1,000 rules and 1,000 grants", count: 100) { [ask, policy] count in
      for _ in 0..<count {
        var steps = 0
        blackHole(standing.verdict(on: ask, policy, at: now.boot, counting: &steps))
      }
    }
  }

  /// Two steps of the rules: a request and an answer with `waiting` requests in the queue.
  private static func step(behind waiting: Int) throws -> Micro.Subject {
    let ids = PresentationIDGenerator()
    let now = Moment(boot: .seconds(1), wall: PresentationClock.system.wall())
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 1)
    let requester = Presentation.Requester(app: "micro", process: process)
    let request = try ValidRequest(
      PresentationRequest(kind: .alert, title: "Deploy?", buttons: [PresentationRequest.Button(id: "yes", label: "Yes")]))
    var surfaces = PresentationSurfaces(.init(limits: Presentation.Limits(perSurface: 100_000, perUser: 100_000)))
    func handle(_ input: PresentationInput) throws { blackHole(try surfaces.handle(input, at: now)) }
    let presenter = PresenterIdentity(name: "micro", process: process, since: now.wall)
    try handle(.presenterAttached(PresenterID(1), presenter, surface: "main"))
    var line: [PresentationID] = []
    func ask() throws {
      let id = ids.next(at: now.wall)
      line.append(id)
      try handle(.request(PresentationAsk(id: id, valid: request, requester: requester)))
    }
    for _ in 0..<waiting { try ask() }
    var first = 0
    return Micro.Subject(name: "asked and answered by the rules, \(waiting) waiting", count: 1000) { count in
      for _ in 0..<count {
        try ask()
        try handle(.change(line[first], Verbs.Answer(.button("yes"))))
        first += 1
      }
    }
  }
}
