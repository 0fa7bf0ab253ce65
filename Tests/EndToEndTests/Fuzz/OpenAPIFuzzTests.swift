import Foundation
import NIOHTTP1
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// Calls made of the daemon's own description, right and wrong: what comes back is what it describes.
///
/// `scripts/fuzz` does the same with schemathesis, which knows far more ways to be wrong and takes longer.
@Suite(.timeLimit(.minutes(60)))
struct OpenAPIFuzzTests {
  /// What any call may come to, by the description's own words.
  private static let anyway: Set<Int> = [404, 405, 408, 413, 429, 431]

  @Test func `every reply is one that the description has, and none is a 500`() async throws {
    let seed = TestSeed.make()
    try await TestDaemon.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "20"]) { daemon in
      let presenters = ["main", "a", "x-1"].map { TestPresenter(daemon.client, surface: $0) }
      let document = try await daemon.call(.GET, APIPath.openAPI).json
      var generator = OpenAPIGenerator(document: document, seed: seed)
      #expect(generator.operations.count > 10)
      var statuses: [String: [Int: Int]] = [:]
      for number in 0..<TestSeed.count("ROUTER_FUZZ", otherwise: 2000) {
        if number % 5 == 0 {
          let open = try await daemon.open()
          generator.ids =
            (open.filter { $0.state == .presented } + open.suffix(2)).map(\.id.description) + generator.ids.suffix(2)
        }
        let (operation, call) = generator.next()
        let comment: Comment =
          "seed \(seed), call \(number): \(call.method) \(call.path) \(call.body.map { String(decoding: $0, as: UTF8.self) } ?? "")"
        let reply = try await daemon.http.reply(to: call)
        statuses["\(operation.method) \(operation.path)", default: [:]][reply.status, default: 0] += 1
        #expect(reply.status < 500, comment)
        #expect(operation.statuses.contains(reply.status) || Self.anyway.contains(reply.status), comment)
        let type = reply.headers["Content-Type"].first
        guard reply.status >= 400 else {
          if type == "application/json" { _ = try reply.json }
          continue
        }
        #expect(type == Problem.contentType, comment)
        let problem = try reply.problem
        #expect(problem.status == reply.status && problem.detail.hasPrefix("cannot "), comment)
      }
      for (operation, counts) in statuses.sorted(by: { $0.key < $1.key }) {
        print(operation, counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
      }
      // It is no test of refusals alone.
      for operation in ["POST /v1/presentations", "POST /v1/presentations/{id}/dismiss", "DELETE /v1/presentations/{id}"] {
        #expect(statuses[operation]?.contains { $0.key < 300 } == true, "seed \(seed): \(operation)")
      }
      for presenter in presenters { presenter.vanish() }
      daemon.process.signal(SIGTERM)
      #expect(await daemon.process.exitStatus() == 0, "seed \(seed)")
    }
  }
}
