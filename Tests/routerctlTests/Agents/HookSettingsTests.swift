import Foundation
import OrderedCollections
import Router
import Testing

@testable import RouterCommandLine
@testable import RouterCore
@testable import RouterFrontEnds
@testable import RouterLog
@testable import RouterTerminal
@testable import routerctl

/// Changes to agents' settings files.
struct HookSettingsTests {
  private let claude = HookInstallation(host: .claude, program: "/opt/my programs/routerctl")

  private func installed(_ text: String, _ installation: HookInstallation) throws -> HookSettings {
    var settings = try HookSettings(text, of: .claude)
    settings.install(installation)
    return settings
  }

  @Test func `adds the hook for every event to empty settings`() throws {
    let settings = try installed("", claude)
    #expect(settings.handlers.map(\.event) == AgentHost.claude.settings.events)
    #expect(settings.handlers.first?.command == "'/opt/my programs/routerctl' agent hook --app claude-code --limit 86990s")
    // A pause of a day does not make a prompt expire.
    #expect(settings.handlers.first?.timeout == 87_000)
  }

  @Test(arguments: ["/opt/ada's programs/routerctl", "/opt/'/routerctl", #"/opt/a\'b\/routerctl"#])
  func `finds a program whose path has quotes`(program: String) throws {
    let settings = try installed("", HookInstallation(host: .claude, program: program))
    #expect(settings.handlers.allSatisfy { $0.program == program && $0.promptTimeout == .seconds(86_990) })
  }

  @Test func `preserves other settings and their order`() throws {
    let text = """
      {
        "zebra": 1.50,
        "hooks": {
          "PostToolUse": [
            {
              "matcher": "Write",
              "hooks": [
                {
                  "type": "command",
                  "command": "format"
                }
              ]
            }
          ],
          "Someday": []
        },
        "apple": {
          "deep": [
            1,
            "é"
          ],
          "empty": {}
        }
      }

      """
    let settings = try installed(text, claude)
    #expect(settings.root.keys.elementsEqual(["zebra", "hooks", "apple"]))
    #expect(settings.text.contains(#""zebra": 1.50"#))
    #expect(settings.handlers.filter { !$0.isRouters }.map(\.command) == ["format"])
    var removed = settings
    removed.uninstall()
    #expect(removed.text == text)
  }

  @Test func `installs idempotently, and replaces the hook when options change`() throws {
    let once = try installed("{}", claude)
    #expect(try installed(once.text, claude) == once)
    var other = claude
    other.timeout = .seconds(7200)
    other.always = "Bash"
    let changed = try installed(once.text, other)
    #expect(changed.handlers.count == AgentHost.claude.settings.events.count + 1)
    #expect(
      Set(changed.handlers.map(\.command)) == [
        "'/opt/my programs/routerctl' agent hook --app claude-code --timeout 7190s --limit 93590s"
      ])
    #expect(changed.handlers.filter { $0.event == "PreToolUse" }.map(\.timeout) == [93_600])
    #expect(changed.handlers.allSatisfy { $0.promptTimeout == .seconds(93_590) && $0.program == claude.program })
    #expect(try installed(changed.text, claude).handlers == once.handlers)
  }

  @Test func `removes the hook from a group and keeps the other handlers`() throws {
    let text = """
      {"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"},{"type":"command","command":"/old/routerctl agent hook"}]}]}}
      """
    var settings = try HookSettings(text, of: .claude)
    settings.uninstall()
    #expect(settings.root["hooks"]?["Stop"]?.description == #"[{"hooks":[{"type":"command","command":"beep"}]}]"#)
  }

  @Test(arguments: ["{", "[]", #"{"hooks":1}"#, #"{"hooks":{"Stop":{}}}"#, #"{"a":1,"a":2}"#, "// no JSON\n{}"])
  func `refuses unreadable settings`(text: String) {
    #expect(throws: JSONError.self) { try HookSettings(text, of: .claude) }
  }

  @Test func `writes through a link, keeping the mode and a backup`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString.prefix(8))").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let new = SettingsFile(path: directory + "/home/.claude/settings.json", host: .claude)
    #expect(try new.write("{}\n", over: nil) == nil)
    #expect(try new.text() == "{}\n")
    let link = SettingsFile(path: directory + "/link.json", host: .claude)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: new.path)
    chmod(new.path, 0o640)
    let backup = try #require(try link.write("{\"a\":1}\n", over: "{}\n"))
    #expect(try SettingsFile(path: backup, host: .claude).text() == "{}\n")
    #expect(try new.text() == "{\"a\":1}\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == new.path)
    #expect(try link.write("{\"a\":2}\n", over: "{\"a\":1}\n", backsUp: false) == backup)
    #expect(try SettingsFile(path: backup, host: .claude).text() == "{}\n")
    try FileManager.default.removeItem(atPath: backup)
    #expect(try link.write("{\"a\":3}\n", over: "{\"a\":2}\n", backsUp: false) == nil)
    #expect(try link.write("{\"a\":4}\n", over: "{\"a\":3}\n") == backup)
    let mode = try FileManager.default.attributesOfItem(atPath: new.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory + "/home/.claude")
    #expect(names.sorted() == ["settings.json", "settings.json.before-router"])
  }

  @Test func `writes a missing file where its link leads`() throws {
    let files = FileManager.default
    let directory = files.temporaryDirectory.appending(path: "settings-\(UUID().uuidString.prefix(8))").path
    defer { try? files.removeItem(atPath: directory) }
    try files.createDirectory(atPath: directory + "/dotfiles", withIntermediateDirectories: true)
    let targets = ["dotfiles/a.json", directory + "/dotfiles/b.json", "link-0.json"]
    for (index, target) in targets.enumerated() {
      let link = SettingsFile(path: "\(directory)/link-\(index).json", host: .claude)
      try files.createSymbolicLink(atPath: link.path, withDestinationPath: target)
      try? files.removeItem(atPath: directory + "/dotfiles/a.json")
      _ = try link.write("{\"a\":1}\n", over: try link.text())
      #expect(try files.destinationOfSymbolicLink(atPath: link.path) == target)
      #expect(try link.text() == "{\"a\":1}\n")
    }
    // A folder that is not there, as of a disk that is not mounted, is not made.
    for target in [directory + "/none/a.json", "loop.json"] {
      let link = SettingsFile(path: directory + "/loop.json", host: .claude)
      try? files.removeItem(atPath: link.path)
      try files.createSymbolicLink(atPath: link.path, withDestinationPath: target)
      let failure = #expect(throws: CommandFailure.self) { try link.write("{}\n", over: nil) }
      #expect(failure?.message.contains("Cocoa") == false)
      #expect(try files.destinationOfSymbolicLink(atPath: link.path) == target)
      #expect(!files.fileExists(atPath: directory + "/none"))
    }
  }

  @Test func `leaves a file that another program changed meanwhile, and a directory in the place of the backup`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString.prefix(8))").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = SettingsFile(path: directory + "/settings.json", host: .claude)
    _ = try file.write("{\"a\":1}\n", over: nil)
    for old in [nil, "{}\n"] {
      #expect(throws: CommandFailure.self) { try file.write("{\"a\":2}\n", over: old, backsUp: false) }
    }
    #expect(throws: CommandFailure.self) { try file.write(nil, over: nil) }
    try FileManager.default.createDirectory(atPath: file.path + ".before-router/mine", withIntermediateDirectories: true)
    #expect(throws: CommandFailure.self) { try file.write("{\"a\":2}\n", over: "{\"a\":1}\n") }
    #expect(FileManager.default.fileExists(atPath: file.path + ".before-router/mine"))
    #expect(try file.text() == "{\"a\":1}\n")
  }

  @Test func `uninstalling removes the file that installing created, and no other`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = SettingsFile(path: directory + "/.claude/settings.json", host: .claude)
    try file.change { $0.install(claude) }
    try file.change { $0.uninstall() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    // A user's empty settings stay, and so does what else is in the directory.
    _ = try file.write("{}\n", over: nil)
    try file.change { $0.install(claude) }
    try file.change { $0.uninstall() }
    #expect(try file.text() == "{}\n")
    try FileManager.default.removeItem(atPath: file.path)
    try FileManager.default.removeItem(atPath: file.path + ".before-router")
    try Data("mine".utf8).write(to: URL(filePath: directory + "/.claude/mine"))
    try file.change { $0.install(claude) }
    try file.change { $0.uninstall() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/.claude") == ["mine"])
  }

  @Test func `reports each problem in the doctor`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString.prefix(8))").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let files = ["user", "project"].map { SettingsFile(path: "\(directory)/\($0).json", host: .claude) }
    func problems() -> [String] {
      AgentCheck(host: .claude, places: files, isWanted: true).findings().filter(\.isProblem).map(\.line)
    }
    #expect(problems().contains { $0.contains("does not have the hook") })
    let installation = HookInstallation(host: .claude, program: "/bin/true/routerctl")
    _ = try files[0].write(try installed("", installation).text, over: nil)
    #expect(problems().map { $0.contains("cannot run the hook's program /bin/true/routerctl") } == [true])
    // Mistakes that install does not make: a host timeout below the prompt's, a missing event, a duplicate.
    let text = try installed("", HookInstallation(host: .claude, program: "/usr/bin/routerctl")).text
      .replacing("87000", with: "60").replacing("PermissionDenied", with: "Else")
    _ = try files[0].write(text, over: try files[0].text())
    _ = try files[1].write(
      #"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/usr/bin/routerctl agent hook"}]}]}}"#, over: nil)
    let found = problems()
    #expect(found.contains { $0.contains("times out the hook for PermissionRequest after 1m00s") })
    #expect(found.contains { $0.contains("has no hook for PermissionDenied") })
    #expect(found.contains { $0.contains("more than once for Stop") })
  }

  /// In the home directory, the project's settings file is the user's.
  @Test func `counts a settings file once in the doctor, also through a link`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = SettingsFile(path: "\(directory)/settings.json", host: .claude)
    let link = SettingsFile(path: "\(directory)/link.json", host: .claude)
    _ = try file.write(try installed("", HookInstallation(host: .claude, program: "/usr/bin/routerctl")).text, over: nil)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
    let once = AgentCheck(host: .claude, places: [file], isWanted: true).findings().map(\.line)
    #expect(once.count { $0.contains("has the hook for") } == 1)
    for files in [[file, file], [file, link]] {
      #expect(AgentCheck(host: .claude, places: files, isWanted: true).findings().map(\.line) == once)
    }
  }
}
