import Router
import TestSupport
import Testing

/// The rules of a shared surface: a leader that takes over, and hosts that are gone.
/// Promises P24, P38.
struct SharedRulesTests {
  private func identity(_ number: Int, on host: String) -> (PresenterID, PresenterIdentity) {
    (PresenterID(number).stamped(host: host), PresenterIdentity(number).stamped(host: host))
  }

  private func ask(_ number: Int, on host: String, _ change: (inout PresentationAsk) -> Void = { _ in }) -> PresentationAsk {
    var ask = PresentationAsk(PresentationID(number: number))
    ask.requester.process.host = host
    change(&ask)
    return (try? ask.checked()) ?? ask
  }

  private func kinds(_ events: [Event]) -> [String] { events.map(\.kind.rawValue) }

  @Test func `takes down and shows again, in order and in a new generation, when the presenters are back`() throws {
    var surfaces = PresentationSurfaces()
    let (id, presenter) = identity(1, on: "beta")
    _ = try surfaces.handle(.presenterAttached(id, presenter, surface: "main"), at: .zero)
    for number in 1...3 { _ = try surfaces.handle(.request(ask(number, on: "beta")), at: .zero) }
    let entries = (1...3).compactMap { surfaces.entry(PresentationID(number: $0)) }
    var events: [Event] = []
    var next = PresentationSurfaces(.init(), takingOver: PresentationFold(entries, lastNumber: 3), at: .zero, events: &events)
    #expect(kinds(events) == ["withdrawn"])
    #expect(
      next.state.surfaces["main"]?.positions == [
        PresentationID(number: 1): 0, PresentationID(number: 2): 1, PresentationID(number: 3): 2,
      ])
    let attached = next.replacePresenters(of: "beta", with: [id: presenter], surface: "main", at: .zero)
    #expect(kinds(attached) == ["presenterAttached"])
    #expect(kinds(next.resume(at: .zero)) == ["presented"])
    let first = PresentationID(number: 1)
    #expect(throws: PresentationRejection.staleGeneration(2)) {
      try next.handle(.change(first, Verbs.Answer(.button("ok")), generation: 1), at: .zero)
    }
    // Reported twice: nothing changes.
    #expect(next.replacePresenters(of: "beta", with: [id: presenter], surface: "main", at: .zero) == [])
    #expect(try kinds(next.handle(.request(ask(4, on: "beta")), at: .zero)) == ["requested"])
    #expect(next.entry(PresentationID(number: 4))?.presentation.number == 4)
  }

  @Test func `a host that is gone loses its attached requests and its presenters, and nothing else`() throws {
    var surfaces = PresentationSurfaces()
    let (alpha, onAlpha) = identity(1, on: "alpha")
    let (beta, onBeta) = identity(1, on: "beta")
    _ = try surfaces.handle(.presenterAttached(alpha, onAlpha, surface: "main"), at: .zero)
    _ = try surfaces.handle(.presenterAttached(beta, onBeta, surface: "main"), at: .zero)
    _ = try surfaces.handle(.request(ask(1, on: "beta")), at: .zero)
    _ = try surfaces.handle(.request(ask(2, on: "beta") { $0.attached = false }), at: .zero)
    _ = try surfaces.handle(.request(ask(3, on: "alpha")), at: .zero)
    let events = surfaces.hostGone("beta", at: .zero)
    #expect(kinds(events) == ["cancelled", "presenterDetached", "presented"])
    #expect(events.first?.presentation == PresentationID(number: 1))
    #expect(surfaces.entry(PresentationID(number: 2))?.isShown == true)
    #expect(surfaces.entry(PresentationID(number: 3)) != nil)
    #expect(surfaces.hostGone("beta", at: .zero) == [])
    #expect(kinds(surfaces.hostGone("alpha", at: .zero)) == ["cancelled", "presenterDetached", "withdrawn"])
  }

  @Test func `a host that invents users leaves room for the others`() throws {
    var surfaces = PresentationSurfaces(.init(limits: .init(perSurface: 100), limitsHosts: true))
    func taken(by host: String, from first: Int) throws -> Int {
      var taken = 0
      while taken <= 100 {
        let ask = ask(first + taken, on: host) { $0.requester.process.uid = UInt32(first + taken) }
        do {
          _ = try surfaces.handle(.request(ask), at: .zero)
        } catch {
          #expect(error == .full(.host))
          break
        }
        taken += 1
      }
      return taken
    }
    // Each takes what is not reserved, or half of what is left.
    #expect(try ["alpha", "beta", "gamma"].enumerated().map { try taken(by: $1, from: 1000 * $0) } == [75, 13, 7])
    #expect(try taken(by: "alpha", from: 5000) == 0)
  }

  @Test func `a host that invents users fills no memory`() throws {
    var surfaces = PresentationSurfaces(.init(limits: .init(bytesPerUser: 1000), limitsHosts: true))
    func taken(by host: String, from first: Int) throws -> Int {
      for number in 0..<100 {
        let ask = ask(first + number, on: host) {
          $0.requester.process.uid = UInt32(first + number)
          $0.draft.message = String(repeating: "x", count: 400)
        }
        do {
          _ = try surfaces.handle(.request(ask), at: .zero)
        } catch {
          #expect(error == .full(.hostBytes))
          return number
        }
      }
      return 100
    }
    let count = try taken(by: "alpha", from: 0)
    #expect((4...9).contains(count))
    #expect(try taken(by: "beta", from: 1000) == count)
    _ = try surfaces.handle(
      .change(
        PresentationID(number: 0), Verbs.Cancel(), by: Presentation.Responder(process: ask(0, on: "alpha").requester.process),
        isAdmin: true),
      at: .zero)
    #expect(try taken(by: "alpha", from: 5000) == 1)
  }

  @Test func `keys, limits and self answers are by host and user`() throws {
    var surfaces = PresentationSurfaces(.init(limits: .init(perUser: 1)))
    surfaces.policy.selfAnswer = .user
    let (id, presenter) = identity(1, on: "alpha")
    _ = try surfaces.handle(.presenterAttached(id, presenter, surface: "main"), at: .zero)
    _ = try surfaces.handle(.request(ask(1, on: "alpha") { $0.useKey("key") }), at: .zero)
    #expect(throws: PresentationRejection.full(.user)) { try surfaces.handle(.request(ask(2, on: "alpha")), at: .zero) }
    #expect(try kinds(surfaces.handle(.request(ask(3, on: "beta") { $0.useKey("key") }), at: .zero)) == ["requested"])
    let person = { (host: String) in Presentation.Responder(process: ask(1, on: host).requester.process) }
    #expect(throws: PresentationRejection.selfAnswer(.user)) {
      try surfaces.handle(
        .change(PresentationID(number: 1), Verbs.Answer(.button("ok")), generation: 1, by: person("alpha")), at: .zero)
    }
    let answered = try surfaces.handle(
      .change(PresentationID(number: 1), Verbs.Answer(.button("ok")), generation: 1, by: person("beta")), at: .zero)
    #expect(kinds(answered) == ["answered", "presented"])
  }
}
