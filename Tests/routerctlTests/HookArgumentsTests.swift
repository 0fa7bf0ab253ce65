import ArgumentParser
import RouterCommandLine
import TestSupport
import Testing

@testable import RouterFrontEnds

/// The options that a hook reads without ArgumentParser.
struct HookArgumentsTests {
  private static let words = [
    "--app", "codex", "--socket", "/run/routerd", "--timeout", "5m", "--limit", "600s", "--escalations-only", "never",
    "--defer",
    "--resume-command", "--app=codex", "-h", "",
  ]

  private func options(of hook: AgentHook) -> [String] {
    [
      hook.app ?? "-", hook.socket ?? "-", "\(String(describing: hook.timeout))", "\(String(describing: hook.limit))",
      "\(hook.escalationsOnly) \(hook.defer)", hook.resumeCommand ?? "-", hook.onDismiss ?? "-",
    ]
  }

  @Test func `reads what ArgumentParser reads, or nothing`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    var readCount = 0
    for _ in 0..<2000 {
      let arguments = (0..<Int(random.next() % 6)).map { _ in Self.words[Int(random.next() % UInt64(Self.words.count))] }
      guard let hook = AgentHook(arguments: arguments) else { continue }
      readCount += 1
      let parsed = try AgentHook.parse(arguments)
      #expect(options(of: hook) == options(of: parsed), "\(arguments), seed \(seed)")
    }
    #expect(readCount > 300, "seed \(seed)")
    #expect(AgentCommand.hook(["routerctl", "agent", "hook", "--app", "codex"]) != nil)
    #expect(AgentCommand.hook(["routerctl", "agent", "hook", "--defer"]) == nil)
    #expect(AgentCommand.hook(["routerctl", "hook"]) == nil)
  }
}
