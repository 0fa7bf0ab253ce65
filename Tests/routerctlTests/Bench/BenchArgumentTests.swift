import ArgumentParser
import Router
import Testing

@testable import routerctl

struct BenchArgumentTests {
  @Test func `without arguments one requester asks ten thousand times on one surface`() throws {
    let plan = try Bench.parse([]).plan
    #expect((plan.requesters, plan.surfaces, plan.count, plan.warmUp) == (1, 1, 10_000, 1_000))
    #expect(!plan.isDetached)
    #expect(plan.isAnswered)
  }

  @Test func `requesters take the surfaces in turns, and none is one that people watch`() throws {
    let plan = try Bench.parse(["--surfaces", "2", "--requesters", "3", "--warm-up", "0"]).plan
    #expect(plan.warmUp == 0)
    #expect(plan.surface(0) == plan.surface(2))
    #expect(plan.surface(0) != plan.surface(1))
    #expect(plan.surface(0).hasPrefix("bench-"))
  }

  @Test(arguments: [
    (["--requesters", "0"], "--requesters must be"), (["--count", "0"], "--count must be"),
    (["--surfaces", "10000001"], "--surfaces must be"), (["--warm-up", "-1"], "--warm-up"),
    (["--count", "many"], "--count"), (["--unanswered"], "--unanswered needs --detach"),
  ])
  func `an argument that makes no sense is named`(arguments: [String], text: String) {
    let error = #expect(throws: (any Error).self) { try Bench.parse(arguments) }
    #expect(error.map { Bench.fullMessage(for: $0) }?.contains(text) == true)
    #expect(error.map { Bench.exitCode(for: $0).rawValue } == ExitStatus.usage.rawValue)
  }

  @Test func `a call that asks is one that the daemon takes`() throws {
    let plan = try Bench.parse(["--detach"]).plan
    let text = String(decoding: plan.ask(on: 0), as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let body = try #require(parts.last)
    let request = try PresentationRequest(json: JSONValue(parsing: String(body)))
    #expect(request.surface == plan.surface(0))
    #expect(request.buttons.map(\.id) == ["deploy", "later"])
    #expect(parts[0].contains("\r\nPrefer: respond-async\r\n"))
    #expect(parts[0].hasSuffix("\r\nContent-Length: \(body.utf8.count)"))
  }
}
