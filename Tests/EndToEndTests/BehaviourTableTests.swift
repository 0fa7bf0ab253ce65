import Foundation
import Testing

/// Compares the behavior suite with the tables in its README.
struct BehaviourTableTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Behaviour")

  /// Returns the backticked names that follow a prefix.
  private static func names(in text: String, after prefix: String) -> Set<String> {
    Set(text.components(separatedBy: prefix + "`").dropFirst().compactMap { $0.split(separator: "`").first.map(String.init) })
  }

  private static func sources() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
      $0.pathExtension == "swift"
    }
  }

  @Test func `lists each test in the README, and only existing ones`() throws {
    var tests: Set<String> = []
    for file in try Self.sources() {
      tests.formUnion(Self.names(in: try String(contentsOf: file, encoding: .utf8), after: "func "))
    }
    let page = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    // Test names are in a row's last column; names of suites elsewhere have no spaces.
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }
    var named: Set<String> = []
    for row in rows {
      let column = row.split(separator: "|").last.map(String.init) ?? ""
      named.formUnion(Self.names(in: column, after: " ").filter { $0.contains(" ") })
    }
    #expect(tests.count > 30)
    #expect(named.subtracting(tests) == [])
    #expect(tests.subtracting(named) == [])
  }

  @Test func `runs each test over both brokers`() throws {
    for file in try Self.sources() {
      let text = try String(contentsOf: file, encoding: .utf8)
      for part in text.components(separatedBy: "@Test").dropFirst() {
        #expect(part.prefix(60).contains("arguments: Place.allCases"), "\(file.lastPathComponent): \(part.prefix(200))")
      }
    }
  }
}
