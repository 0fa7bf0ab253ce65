import FoundationEssentials
import Glibc
import Router

@testable import RouterCore
@testable import RouterTerminal

/// How often agents interrupt a person in a week of work, by what Router may remember.
///
///   Attention [--seed N] [--every-command] [--updates] [--script] [--prefix ROW]…
///
/// Five agents work in three projects. Each tool call goes through the hook's code to the daemon's rules, on simulated clocks, and
/// a person answers the prompts by a fixed policy, with the keys of the terminal. Exits with 1 if a planted call is allowed unseen,
/// a good one is denied unseen, or the aims for always are missed.
@main struct Attention {
  static func main() {
    do {
      exit(try run(Options(CommandLine.arguments.dropFirst())) ? 0 : 1)
    } catch {
      StandardStream.error.line("error: \(error)")
      exit(2)
    }
  }

  private static func run(_ options: Options) throws -> Bool {
    try Cryptography.load()
    let root = FileManager.default.temporaryDirectory.appending(path: "attention-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let week = try Week(options, in: root)
    return Report(week, try Mode.allCases.map { try Replay($0, week, options) }).print()
  }
}

struct Options {
  private(set) var seed: UInt64 = 1
  /// Whether the hook asks about all commands, also those that Claude Code itself knows to read.
  private(set) var everyCommand = false
  /// Whether the agent's program is updated every other day, to another path.
  private(set) var updates = false
  /// Whether the agent is a script of an interpreter, as another program may be.
  private(set) var script = false
  /// The standard rows with those of the setting `grants.prefixes`.
  private(set) var commands = CommandTable.standard

  init(_ arguments: ArraySlice<String>) throws {
    var arguments = arguments
    while let argument = arguments.popFirst() {
      switch argument {
      case "--seed":
        guard let number = arguments.popFirst().flatMap({ UInt64($0) }) else { throw Problem("--seed needs a number") }
        seed = number
      case "--every-command": everyCommand = true
      case "--updates": updates = true
      case "--script": script = true
      case "--prefix":
        guard let row = arguments.popFirst() else { throw Problem("--prefix needs a row such as \"git fetch ...\"") }
        do { try commands.add(row) } catch { throw Problem("\(row) \(error.message)") }
      default: throw Problem("unknown argument: \(argument)")
      }
    }
  }
}
