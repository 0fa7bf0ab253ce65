import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// The place that starts an agent's hook: a settings file, or a directory of programs.
protocol HookPlace: Sendable {
  var path: String { get }
  /// The path with all links resolved; `nil` if there are too many links.
  var resolvedPath: String? { get }
  func handlers() throws -> [HookSettings.Handler]
  /// Adds or replaces Router's hook, and prints each change.
  func install(_ installation: HookInstallation) throws
  /// Removes Router's hook, and prints each change.
  func uninstall() throws
}

extension AgentHost {
  func place(isProject: Bool) -> any HookPlace {
    let path = settings.path(isProject: isProject)
    return settings.form == .programs ? HookPrograms(path: path, host: self) : SettingsFile(path: path, host: self)
  }
}

extension SettingsFile: HookPlace {
  func handlers() throws -> [HookSettings.Handler] { try settings().handlers }
  func install(_ installation: HookInstallation) throws { try change { $0.install(installation) } }
  func uninstall() throws { try change { $0.uninstall() } }
}

/// A directory with a program for each event, named like the event. Other programs stay.
struct HookPrograms: HookPlace {
  let path: String
  let host: AgentHost

  var resolvedPath: String? { ToolPath.resolve(ToolPath(path, in: nil).file) }

  private static let beginning = "#!/bin/sh\nexec "

  private func program(_ event: String) -> InstalledFile {
    InstalledFile(path: path + "/" + event) { Self.command($0, event)?.isRouters == true }
  }

  private static func command(_ content: InstalledFile.Content, _ event: String) -> HookSettings.Handler? {
    guard case .file(let bytes) = content, let text = String(validating: bytes, as: UTF8.self),
      let rest = text[...].rest(after: beginning)
    else { return nil }
    return HookSettings.Handler(event: event, command: rest.trimmingWhiteSpace, timeout: nil)
  }

  func handlers() throws -> [HookSettings.Handler] {
    try host.settings.events.compactMap { event in
      try TextFile.read("\(path)/\(event)").flatMap { Self.command(.text($0), event) }
    }
  }

  func install(_ installation: HookInstallation) throws {
    try program(host.settings.events[0]).makeDirectory(mode: 0o777)
    try put(.text(Self.beginning + installation.command + "\n"), "added")
  }

  func uninstall() throws {
    try put(nil, "removed")
    // Fails if the directory contains other files.
    rmdir(path)
  }

  private func put(_ content: InstalledFile.Content?, _ word: String) throws {
    for event in host.settings.events {
      let file = program(event)
      let name = file.path.escapedForTerminal()
      switch try file.put(content, mode: 0o755) {
      case .changed: StandardStream.output.line("\(name): \(word)")
      case .unchanged: StandardStream.output.line("\(name): no changes.")
      case .kept where content == nil: break
      case .kept(let why):
        throw CommandFailure(
          .defect,
          "cannot write \(file.path): \(why ?? "it is not Router's program"). Call \"\(RealProgram.own) agent hook\" from it")
      }
    }
  }
}
