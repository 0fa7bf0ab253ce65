import Foundation
import Router
import Testing

@testable import RouterCommandLine
@testable import routerctl

/// What installers write, keep and remove.
struct InstalledFileTests: ~Copyable {
  private let directory: String
  private let files = FileManager.default

  init() throws {
    directory = files.temporaryDirectory.appending(path: "installed-\(UUID().uuidString.prefix(8))").path
    try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `writes, replaces and removes its own file`() throws {
    let path = directory + "/file"
    let file = InstalledFile(path: path) { [.text("one"), .text("two")].contains($0) }
    #expect(file.effect(of: .text("one")) == .changed)
    #expect(!files.fileExists(atPath: path))
    #expect(try file.put(.text("one")) == .changed)
    #expect(try file.put(.text("one")) == .unchanged)
    #expect(try file.put(.text("two")) == .changed)
    #expect(try text(path) == "two")
    #expect(try file.put(nil) == .changed)
    #expect(try file.put(nil) == .unchanged)
    #expect(try files.contentsOfDirectory(atPath: directory) == [])
  }

  @Test func `keeps the user's files, links, directories and devices`() throws {
    let names = ["file", "link", "dangling", "directory", "same"]
    try Data("mine".utf8).write(to: URL(filePath: directory + "/file"))
    try Data("ours".utf8).write(to: URL(filePath: directory + "/target"))
    try files.createSymbolicLink(atPath: directory + "/link", withDestinationPath: directory + "/target")
    try files.createSymbolicLink(atPath: directory + "/dangling", withDestinationPath: directory + "/none")
    try files.createDirectory(atPath: directory + "/directory", withIntermediateDirectories: false)
    // The same to Swift's strings, but not the same bytes.
    try Data("é".utf8).write(to: URL(filePath: directory + "/same"))
    for name in names {
      let file = InstalledFile(path: directory + "/" + name) { [.text("ours"), .text("e\u{301}")].contains($0) }
      for content: InstalledFile.Content? in [.text("new"), .link(to: "/bin/true"), nil] {
        guard case .kept = try file.put(content) else {
          Issue.record("\(name) was changed")
          continue
        }
      }
    }
    #expect(try text(directory + "/file") == "mine")
    #expect(try text(directory + "/link") == "ours")
    #expect(try files.destinationOfSymbolicLink(atPath: directory + "/dangling") == directory + "/none")
    #expect(try files.contentsOfDirectory(atPath: directory).sorted() == (names + ["target"]).sorted())
  }

  @Test func `replaces its own link in one step, and leaves its target alone`() throws {
    let path = directory + "/link"
    try Data("program".utf8).write(to: URL(filePath: directory + "/old"))
    let link = InstalledFile(path: path) { $0 == .link(to: "old") }
    #expect(try link.put(.link(to: "old")) == .changed)
    #expect(try link.put(.link(to: "new")) == .changed)
    #expect(try files.destinationOfSymbolicLink(atPath: path) == "new")
    #expect(try text(directory + "/old") == "program")
    guard case .kept = try link.put(nil) else { return #expect(Bool(false), "removed another program's link") }
  }

  /// Swift takes both spellings of é for the same text.
  @Test func `compares a link's target by its bytes`() throws {
    let path = directory + "/link"
    try files.createSymbolicLink(atPath: path, withDestinationPath: "caf\u{E9}")
    let link = InstalledFile(path: path) { $0 == .link(to: "cafe\u{301}") }
    #expect(try link.put(.link(to: "cafe\u{301}")) == .kept(nil))
    #expect(try link.put(.link(to: "caf\u{E9}")) == .unchanged)
  }

  @Test func `does not write through a link that waits at the temporary name`() throws {
    let path = directory + "/file"
    try Data("mine".utf8).write(to: URL(filePath: directory + "/victim"))
    for name in [".new", ".\(getpid()).new"] {
      try files.createSymbolicLink(atPath: path + name, withDestinationPath: directory + "/victim")
    }
    try FileReplacement.write(Array("new".utf8), to: path, mode: 0o640)
    #expect(try text(path) == "new")
    #expect(try text(directory + "/victim") == "mine")
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(!files.fileExists(atPath: "\(path).\(getpid()).new"))
  }

  @Test func `leaves no new file when the path cannot be replaced`() throws {
    let path = directory + "/taken"
    try files.createDirectory(atPath: path + "/full", withIntermediateDirectories: true)
    #expect(throws: SystemFailure.self) { try FileReplacement.write([1], to: path) }
    #expect(throws: SystemFailure.self) { try FileReplacement.link(path, to: "/bin/true") }
    #expect(try files.contentsOfDirectory(atPath: directory) == ["taken"])
  }

  @Test func `creates the missing directories only, and says why it cannot`() throws {
    #expect(Directories.missing(directory + "/a/b") == [directory + "/a", directory + "/a/b"])
    try Directories.make(directory + "/a/b")
    #expect(Directories.missing(directory + "/a/b") == [])
    #expect(Directories.missing("/") == [] && Directories.missing(".") == [] && Directories.missing("nowhere") == ["nowhere"])
    try Data().write(to: URL(filePath: directory + "/file"))
    let failure = #expect(throws: SystemFailure.self) { try Directories.make(directory + "/file/c") }
    #expect(failure?.description == "Not a directory")
  }

  @Test func `a setup that was interrupted in an upgrade knows its file again`() throws {
    let (path, file) = (directory + "/state/setup.json", directory + "/config/unit")
    var record = try SetupRecord(path: path)
    #expect(try record.write("old", to: file) == .changed)
    #expect(try SetupRecord(path: path).files == [file: ["old"]])
    // Between the record and the file.
    let interrupted = try text(path).replacing("\"old\"", with: "\"old\", \"new\"")
    try Data(interrupted.utf8).write(to: URL(filePath: path))
    #expect(try SetupRecord(path: path).file(file).effect(of: nil) == .changed)
    record = try SetupRecord(path: path)
    #expect(try record.write("new", to: file) == .changed)
    #expect(try SetupRecord(path: path).files == [file: ["new"]])
    #expect(try record.file(file).put(nil) == .changed)
    record.remove()
    #expect(try files.contentsOfDirectory(atPath: directory) == [])
  }

  @Test func `reads the record of an earlier version`() throws {
    let path = directory + "/setup.json"
    try Data(#"{"files": {"/a": "text"}, "directories": ["/b"], "service": true}"#.utf8).write(to: URL(filePath: path))
    let record = try SetupRecord(path: path)
    #expect(record.files == ["/a": ["text"]] && record.directories == ["/b"] && record.hasEnabledService)
  }
}
