import ArgumentParser
import RouterTesting
import Testing

@testable import routerctl

/// Plain command lines are read without ArgumentParser, and mean what they mean to it.
struct PlainCommandTests {
  @Test func `what is plain is read as ArgumentParser reads it`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    var plain = 0
    for _ in 0..<2000 {
      let words = Self.commandLine(&random)
      guard let command = PlainCommands.command(of: words) else { continue }
      plain += 1
      do {
        let parsed = try Routerctl.parseAsRoot(words)
        #expect(type(of: parsed) == type(of: command), "\(words), seed \(seed)")
        #expect(String(describing: parsed) == String(describing: command), "\(words), seed \(seed)")
      } catch {
        Issue.record("\(words) is wrong: \(Routerctl.fullMessage(for: error)), seed \(seed)")
      }
    }
    // Else it would compare little.
    #expect(plain > 200, "seed \(seed)")
  }

  @Test(arguments: [
    ["confirm", "Deploy?"],
    ["confirm", "Deploy?", "--message", "m", "--yes", "Y", "--no", "N", "--timeout", "5m", "--app", "ci", "--metadata", "a=b"],
    ["choose", "Which?", "a", "b", "--cancel", "None"],
    ["log"], ["log", "list"], ["log", "-n", "100", "--json"], ["log", "-f"],
    ["log", "--app", "payroll", "--since", "2026-11-21", "--until", "2026-11-22"],
    ["log", "--search", "quokka deploy*", "--outcome", "answered,expired"],
    ["log", "stats", "--by", "day", "--database", "a.db"],
  ])
  func `these begin at once`(words: [String]) throws {
    let command = try #require(PlainCommands.command(of: words))
    #expect(!String(describing: command).contains("*definition*"))
  }

  @Test(arguments: [
    [], ["--version"], ["--help"], ["frobnicate"], ["confirm"], ["confirm", "--help"], ["confirm", "a", "b"],
    ["confirm", "--", "a"],
    ["confirm", "-a"], ["confirm", "a", "--yes"], ["confirm", "a", "--yes=b"], ["confirm", "a", "--priority", "urgent"],
    ["confirm", "a", "--yes", "b", "--yes", "c"], ["choose", "a"], ["log", "verify"], ["log", "show", "abcd"],
    ["log", "-n", "-1"],
    ["log", "-n", "x"], ["log", "-n1"], ["log", "--json", "--csv"], ["log", "--json", "--json"],
    ["log", "--since", "2h", "--until", "3h"], ["log", "--since", "2h", "--until", "2h"],
    ["log", "--search", "\""], ["log", "--follow", "--until", "now"], ["log", "stats", "--by", "week"], ["log", "stats", "x"],
  ])
  func `these are left to ArgumentParser`(words: [String]) {
    #expect(PlainCommands.command(of: words) == nil)
  }

  /// A command line that may be plain, and right, or not.
  private static func commandLine(_ random: inout SplitMix64) -> [String] {
    var words = commands.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: words += [texts.randomElement(using: &random) ?? ""]
      case 1: words += [flags.randomElement(using: &random) ?? ""]
      default:
        guard let (name, values) = options.randomElement(using: &random) else { break }
        // Now and then a value of another option, which may do as well or not.
        let strange = options.randomElement(using: &random)?.values ?? values
        let all = Int.random(in: 0..<20, using: &random) == 0 ? strange : values
        words += [name, all.randomElement(using: &random) ?? ""]
      }
    }
    return words
  }

  private static let commands = [
    ["confirm", "Sure?"], ["confirm"], ["choose", "Which?", "a"], ["choose", "Which?"], ["log"], ["log", "list"],
    ["log", "stats"],
    ["log", "verify"],
  ]
  private static let texts = ["", "a", "two words", "grüße", "-", "--", "-x", "list", "stats", "=", "a=b"]
  private static let flags = [
    "--json", "--csv", "--events", "-f", "--follow", "--sensitive", "--detach", "-h", "--help", "--version", "-fn", "--js",
  ]
  private static let options: [(name: String, values: [String])] = [
    ("--message", texts), ("--yes", texts), ("--no", texts), ("--cancel", texts), ("--surface", ["main", "desk", ""]),
    ("--app", ["ci", "a,b", ""]), ("--priority", ["low", "normal", "high", "critical", "urgent"]),
    ("--policy", ["enqueue", "reject", "cancelPrevious", ""]), ("--timeout", ["1", "1.5m", "500ms", "0", "x"]),
    ("--over", ["01936f5e-1b2c-7def-8a90-112233445566", "1"]), ("--idempotency-key", ["k", ""]),
    ("--metadata", ["a=b", "a=", "=a"]),
    ("--socket", ["/run/a.sock", ""]), ("--patience", ["5s", "0"]), ("--since", ["2026-01-01", "yesterday", "x"]),
    ("--until", ["2026-02-01", "2025-02-01", "x"]), ("--outcome", ["answered", "answered,expired", "x", ""]),
    ("--reason", ["requester", "x"]), ("--kind", ["alert", "alert,sheet", "x"]), ("--sheet", ["settings"]),
    ("--uid", ["0", "root", "x"]),
    ("--search", ["a", "a b*", "\"a b\"", "\"", "*"]), ("-n", ["0", "10", "-1", "x"]), ("--lines", ["5", "1.5"]),
    ("--by", ["app", "day", "week"]), ("--database", ["a.db", ""]), ("--surface=desk", ["main"]),
  ]
}
