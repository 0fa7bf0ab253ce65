import Foundation
import Router
import TestSupport
import Testing

/// Forwarders that are killed at random: there is no gap, and events repeat only where one was killed.
/// Promise P2.
@Suite(.timeLimit(.minutes(10)))
struct ForwardKillTests {
  private static let kills = TestSeed.count("ROUTER_FORWARD_KILLS", otherwise: 10)

  private func forwarder(_ log: EvidenceLog, to target: String, _ more: String...) throws -> ChildProcess {
    try ChildProcess(
      "routerctl", ["log", "forward", "--to", target, "--state", log.directory.file("state"), "--database", log.path] + more)
  }

  /// Expects the numbers 1 to `last` in order, with at most as many repeated stretches as there were kills.
  private func expectComplete(_ numbers: [Int64], last: Int64) {
    var (highest, repeats) = (Int64(0), 0)
    for (before, number) in zip([0] + numbers, numbers) where number != before + 1 {
      highest = max(highest, before)
      #expect(number <= highest + 1, "a gap before \(number)")
      repeats += 1
    }
    #expect(Set(numbers).count == Int(last) && numbers.last == last && repeats <= Self.kills)
  }

  /// Kills it when the server has received a random number of bytes.
  @Test func `loses no event over TCP`() async throws {
    var generator = SplitMix64(seed: TestSeed.make())
    let log = try await EvidenceLog()
    let victim = Mutex<(process: ChildProcess?, after: Int)>((nil, .max))
    let server = try SyslogServer { received in
      victim.withLock { if received >= $0.after { $0.process?.signal(SIGKILL) } }
    }
    var (numbers, last) = ([Int64](), Int64(0))
    var connections = server.connections.makeAsyncIterator()
    func finish() async throws {
      victim.withLock { $0 = (nil, .max) }
      await (try forwarder(log, to: "tcp:127.0.0.1:\(server.port)", "--once")).expectExit()
      numbers += (await connections.next() ?? []).compactMap(SyslogServer.number)
    }
    for _ in 0..<Self.kills {
      last = try await log.add(200).seq
      // All events of a round are more bytes than this.
      let bytes = Int.random(in: 1...40_000, using: &generator)
      let process = victim.withLock { victim in
        victim = (try? forwarder(log, to: "tcp:127.0.0.1:\(server.port)"), bytes)
        return victim.process
      }
      #expect(await process?.exitStatus() == 128 + SIGKILL)
      numbers += (await connections.next() ?? []).compactMap(SyslogServer.number)
      if Bool.random(using: &generator) { try await finish() }
    }
    _ = try await log.add(1)
    last += 1
    try await finish()
    expectComplete(numbers, last: last)
  }

  /// Kills it from a command that has taken a random number of lines.
  @Test func `loses no event to a command, before and after it has taken them`() async throws {
    var generator = SplitMix64(seed: TestSeed.make())
    let log = try await EvidenceLog()
    let out = log.directory.file("out.jsonl")
    var (last, acknowledged) = (Int64(0), Int64(0))
    for _ in 0..<Self.kills {
      last = try await log.add(200).seq
      let lines = Int64.random(in: 0...(last - acknowledged), using: &generator)
      let process = try forwarder(log, to: "exec:head -n \(lines) >> '\(out)'; kill -9 $PPID")
      #expect(await process.exitStatus() == 128 + SIGKILL)
      if Bool.random(using: &generator) {
        await (try forwarder(log, to: "exec:cat >> '\(out)'", "--once")).expectExit()
        acknowledged = last
      }
    }
    last = try await log.add(1).seq
    await (try forwarder(log, to: "file:\(out)", "--once")).expectExit()
    let lines = try log.text("out.jsonl").split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    expectComplete(lines.compactMap { $0["seq"]?.number?.integer.map(Int64.init) }, last: last)
    // Every one is complete, with its hash.
    try await log.run("verify", "--anchors", out)
  }
}
