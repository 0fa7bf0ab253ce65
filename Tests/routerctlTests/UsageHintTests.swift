import ArgumentParser
import Testing

@testable import routerctl

struct UsageHintTests {
  @Test(arguments: [
    ("confrim x --yes Ok", "Unknown command 'confrim'. Did you mean 'routerctl confirm'?"),
    ("stats", "Unknown command 'stats'. Did you mean 'routerctl log stats'?"),
    ("log tail", "Unknown command 'tail'. Did you mean 'routerctl log --follow'?"),
    ("log shwo 5f0c", "Unknown command 'shwo'. Did you mean 'routerctl log show'?"),
    ("log --since 1h stats", "Unknown argument 'stats'. Did you mean 'routerctl log stats'?"),
    ("nonsense", "Unknown command 'nonsense'"),
    ("setup --uninstall", "Unknown option '--uninstall'. Did you mean '--undo'?"),
    ("log --head", "Unknown option '--head'. Did you mean 'routerctl log head'?"),
    ("log --format csv", "Unknown option '--format'. Did you mean '--csv'?"),
    ("log --format=csv", "Unknown option '--format'. Did you mean '--csv'?"),
    ("--verison", "Unknown option '--verison'. Did you mean '--version'?"),
    ("confirm x -m y", "Unknown option '-m'. Did you mean '--message'?"),
    ("confirm x --mesage y", "Unknown option '--mesage'. Did you mean '--message'?"),
    (
      "confirm Delete 3 files? --yes Ok",
      "Unexpected argument '3'. Quote the question: routerctl confirm 'Delete 3 files?'"
    ),
    ("confirm --yes Ok Delete 3", "Unexpected argument '3'. Quote the question: routerctl confirm 'Delete 3 files?'"),
  ])
  func `suggests what a mistyped command line may mean`(line: String, message: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let error = try #require(throws: (any Error).self) { try Routerctl.parseAsRoot(words) }
    let text = try #require(UsageHint.message(for: error, words))
    #expect(text.hasPrefix("Error: \(message)\n"), "\(text)")
    #expect(text.contains("--help' for more information."))
  }

  @Test(arguments: ["confirm x --zzzzzzzzz", "log nonsense", "confirm", "confirm x --severity y", "answer"])
  func `leaves other mistakes to their own message`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let error = try #require(throws: (any Error).self) { try Routerctl.parseAsRoot(words) }
    #expect(UsageHint.message(for: error, words) == nil)
  }
}
