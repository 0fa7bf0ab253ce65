import ArgumentParser
import Router
import RouterCommandLine
import TestSupport
import Testing

@testable import RouterFrontEnds
@testable import routerctl

/// Options that are read without ArgumentParser.
struct PlainOptionsTests {
  private static let values = [
    "x", "5m", "2:ops", "session,15m", "a=b", "high", "critical", "no", "enqueue", "0a1b2c3d", "", "-", "--", "--no-such", "-q",
    "-h", "--mess", "--message=x",
  ]

  /// Returns the names of a command's documented options.
  private func documented(_ command: (some ParsableCommand).Type) throws -> [String] {
    let error = #expect(throws: (any Error).self) { try command.parse(["--experimental-dump-help"]) }
    let help = try JSONValue(parsing: command.fullMessage(for: try #require(error)))
    let options = try #require(help["command"]?["arguments"]?.array)
    return options.flatMap { $0["names"]?.array ?? [] }.compactMap { $0["name"]?.string }
      .map { $0.count > 1 ? "--\($0)" : "-\($0)" }
  }

  private func text(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  /// Expects a reader to read each documented option but `others`, and always what ArgumentParser reads, or nothing.
  private func check<Command: ParsableCommand>(required: [String], others: Set<String>, _ read: ([String]) -> Command?) throws {
    let names = try documented(Command.self)
    var isRead: Set<String> = []
    func check(_ line: [String], _ note: String = "") throws {
      guard let command = read(line) else { return }
      isRead.formUnion(line)
      #expect(text(command) == (try? Command.parse(line)).map { text($0) }, "\(line)\(note)")
    }
    for name in names {
      try check(required + [name])
      for value in Self.values { try check(required + [name, value]) }
    }
    #expect(Set(names).subtracting(isRead) == others)

    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    func word(of words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }
    for _ in 0..<500 {
      var line = (0..<Int(random.next() % 4)).flatMap { _ in [word(of: names), word(of: Self.values)] }
      for _ in 0..<Int(random.next() % 3) {
        line.insert(word(of: names + Self.values), at: Int(random.next() % UInt64(line.count + 1)))
      }
      try check(line, ", seed \(seed)")
    }
  }

  @Test func `confirm reads what ArgumentParser reads, or leaves the line to it`() throws {
    try check(required: ["Deploy?", "--act-verb", "deploy"], others: ["-q", "-h", "--help"]) {
      Confirm(arguments: $0)
    }
    #expect(Confirm(arguments: ["Deploy?", "--act-object", "x"]) == nil)
    #expect(Confirm(arguments: []) == nil)
  }

  @Test func `a hook reads what ArgumentParser reads, or leaves the line to it`() throws {
    try check(
      required: [], others: ["--defer", "--resume-command", "--on-dismiss", "-h", "--help"]
    ) { AgentHook(arguments: $0) }
  }
}
