import Foundation
import Testing

/// Checks that the behavior suite is complete.
struct BehaviorSuiteTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Behavior")

  private static func sources() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
      $0.pathExtension == "swift"
    }
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
