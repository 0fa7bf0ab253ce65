@testable import Router
@testable import RouterCore
@testable import RouterSystem

/// The state machine alone.
enum Rules {
  static func subjects() throws -> [Micro.Subject] { [try step(behind: 0), try step(behind: 10_000)] }

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
        try handle(.answer(line[first], generation: nil, .button("yes"), by: nil))
        first += 1
      }
    }
  }
}
