import Foundation
import Router
import RouterTesting
import Testing

/// A daemon's rules file in a directory that nobody else can write.
struct RulesFile {
  let directory = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString.prefix(8))").path
  var path: String { directory + "/rules.yaml" }

  init(_ rules: String? = nil) throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    if let rules { try write(rules) }
  }

  func write(_ rules: String) throws { try replace("version: 1\nrules:\n" + rules) }

  func replace(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    chmod(path, 0o644)
  }

  var digest: String { get throws { Cryptography.sha256(Array(try Data(contentsOf: URL(filePath: path)))).hexadecimal } }

  func environment(_ confirm: String = "none") -> [String: String] {
    ["ROUTERD_RULES_FILE": path, "ROUTERD_RULES_CONFIRM": confirm]
  }

  func remove() { try? FileManager.default.removeItem(atPath: directory) }
}
