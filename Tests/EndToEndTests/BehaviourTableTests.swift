import Foundation
import Testing

/// Holds the table of the behaviour suite and its tests together.
struct BehaviourTableTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Behaviour")

  /// What stands between two backticks where the text before the first one ends so.
  private static func names(in text: String, after prefix: String) -> Set<String> {
    Set(text.components(separatedBy: prefix + "`").dropFirst().compactMap { $0.split(separator: "`").first.map(String.init) })
  }

  private static func sources() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
      $0.pathExtension == "swift"
    }
  }

  @Test func `each test of the suite has its row, and each row its test`() throws {
    var tests: Set<String> = []
    for file in try Self.sources() {
      tests.formUnion(Self.names(in: try String(contentsOf: file, encoding: .utf8), after: "func "))
    }
    let page = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    // In a row, the names of tests stand in the last column; those of suites elsewhere have no space in them.
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

  @Test func `each test of the suite runs over both brokers`() throws {
    for file in try Self.sources() {
      let text = try String(contentsOf: file, encoding: .utf8)
      for part in text.components(separatedBy: "@Test").dropFirst() {
        #expect(part.prefix(60).contains("arguments: Place.allCases"), "\(file.lastPathComponent): \(part.prefix(200))")
      }
    }
  }
}
