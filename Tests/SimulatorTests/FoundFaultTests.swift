import Router
import RouterCore
import Testing

/// Faults that the simulator has found, each in its shortest story.
/// Promises P10, P11.
struct FoundFaultTests {
  private let simulation: Simulation
  private let program: Program
  private var machine: Machine { simulation.machines[0] }
  private var world: World { simulation.world }

  init() throws {
    simulation = try Simulation(seed: 1)
    program = Program(simulation, number: 0, uid: 1000)
    try machine.care()
  }

  /// A request, and its reply so far.
  private final class Exchange {
    private let client: HTTPClient
    private(set) var reply: HTTPClient.Reply?

    init(_ client: HTTPClient, _ method: String, _ headers: [String: String] = [:], _ body: JSONText? = nil) {
      self.client = client
      client.send(method, "/v1/presentations", headers, body) { [weak self] in self?.reply = $0 }
    }

    var detail: String { reply?.json?["detail"]?.string ?? "" }
  }

  private func ask(_ preference: String) -> Exchange {
    let request = PresentationRequest(kind: .alert, title: "Deploy?")
    return Exchange(program.client(), "POST", ["Prefer": preference], JSONText(request))
  }

  /// Whether the prompt is open.
  private var isOpen: Bool {
    let list = Exchange(program.client(), "GET")
    world.run(for: .seconds(10)) { list.reply != nil }
    return String(decoding: list.reply?.body ?? [], as: UTF8.self).contains("Deploy?")
  }

  @Test func `waits on after Prefer: wait while the log cannot be written`() {
    let asked = ask("wait=5")
    world.run(for: .seconds(4)) { false }
    machine.disk.fault = SimulatedDisk.Fault(operations: [.write], after: 0, count: .max, code: SimulatedDisk.full)
    world.run(for: .seconds(10)) { false }
    #expect(asked.reply == nil)
    machine.disk.fault = nil
    world.run(for: .seconds(10)) { asked.reply != nil }
    #expect(asked.reply?.status == 202)
    #expect(isOpen)
  }

  @Test(arguments: [1, Int.max]) func `says that nothing was changed only if a failed sync is undone`(failures: Int) throws {
    machine.disk.fault = SimulatedDisk.Fault(operations: [.sync], after: 0, count: failures)
    let asked = ask("respond-async")
    world.run(for: .seconds(10)) { asked.reply != nil }
    #expect(asked.reply?.status == 503)
    #expect(asked.detail.hasSuffix("nothing was changed") == (failures == 1), "\(asked.detail)")
    machine.end(.kill)
    try machine.care()
    world.run(for: .seconds(60)) { machine.needsCare }
    try machine.care()
    if failures == 1 { #expect(!isOpen) }
  }
}
