import Router

/// The state machine alone.
enum Rules {
  static func subjects() throws -> [Micro.Subject] { [try step(behind: 0), try step(behind: 10_000)] }

  /// Asked and answered behind so many that wait: two steps of the rules.
  private static func step(behind waiting: Int) throws -> Micro.Subject {
    let ids = PresentationIDGenerator()
    let wall = PresentationClock.system.wall()
    var surfaces = PresentationSurfaces(limits: PresentationSurfaces.Limits(perSurface: 100_000, perUser: 100_000))
    func handle(_ event: PresentationEvent) throws { blackHole(try surfaces.handle(event, at: .seconds(1))) }
    try handle(.attach(PresenterID(1), surface: "main"))
    var line: [PresentationID] = []
    func ask() throws {
      let id = ids.next(at: wall)
      line.append(id)
      try handle(.request(PresentationTicket(id: id, uid: 1000), surface: "main"))
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
