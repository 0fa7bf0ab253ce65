import Glibc
import Router
import RouterCommandLine

/// An agent's settings file, which the agent and its user also write. Router adds and removes only its own entries.
struct SettingsFile: Sendable {
  let path: String
  let host: AgentHost

  /// The path with all links resolved, even if there is no file; `nil` if there are too many links.
  var resolvedPath: String? { ToolPath.resolve(ToolPath(path, in: nil).file) }

  /// The text; `nil` if there is no file.
  func text() throws -> String? { try TextFile.read(path) }

  func settings() throws -> HookSettings { try settings(try text()) }

  private func settings(_ text: String?) throws -> HookSettings {
    do {
      return try HookSettings(text ?? "", of: host)
    } catch {
      throw CommandFailure(.defect, "cannot use \(path): \(error). The file was not changed; correct it first.")
    }
  }

  /// Changes the settings, and prints each change.
  func change(_ edit: (inout HookSettings) -> Void) throws {
    let (out, name) = (StandardStream.output, path.escapedForTerminal())
    let text = try text()
    let before = try settings(text)
    var after = before
    edit(&after)
    guard before != after else { return out.line("\(name): no changes.") }
    let (old, new) = (before.handlers, after.handlers)
    let backup = try write(after.root.isEmpty ? nil : after.text, over: text, backsUp: !old.contains(where: \.isRouters))
    for handler in old where !new.contains(handler) {
      out.line("\(name): removed \(handler.event): \(handler.command.escapedForTerminal())")
    }
    for handler in new where !old.contains(handler) {
      out.line("\(name): added \(handler.event): \(handler.command.escapedForTerminal())")
    }
    if before.environment != after.environment {
      out.line("\(name): \(after.environment == nil ? "removed" : "added") \(host.settings.environment ?? "")")
    }
    if try self.text() == nil { out.line("\(name): removed, because it has no other settings") }
    if let backup { out.line("Backup without Router's hooks: \(backup.escapedForTerminal())") }
  }

  /// Replaces the text. Follows symbolic links, even to a missing file, and preserves the mode.
  ///
  /// - Parameters:
  ///   - text: The new text; `nil` removes the file, unless a backup shows that it existed before Router.
  ///   - old: The text that was read. If another program has changed it since then, the file stays unchanged.
  ///   - backsUp: Whether to save the old text first, replacing an earlier backup.
  /// - Returns: The path of the newest backup, if there is one.
  func write(_ text: String?, over old: String?, backsUp: Bool = true) throws -> String? {
    guard let resolved = resolvedPath else {
      throw CommandFailure(.defect, "cannot change \(path): it leads through too many links")
    }
    let file = InstalledFile(path: resolved) { $0 == old.map { .text($0) } }
    let backup = InstalledFile(path: resolved + ".before-router") { _ in true }
    var status = stat()
    let mode = stat(resolved, &status) == 0 ? status.st_mode & 0o7777 : 0o600
    if SymbolicLink.target(of: path) == nil { try file.makeDirectory(mode: 0o777) }
    if let old, backsUp, case .kept(let why) = try backup.put(.text(old), mode: mode) {
      throw CommandFailure(.defect, "cannot write \(backup.path): \(why ?? "it exists")")
    }
    let hasBackup = access(backup.path, F_OK) == 0
    let new = text ?? (hasBackup ? "{}\n" : nil)
    if case .kept = try file.put(new.map { .text($0) }, mode: mode) {
      throw CommandFailure(.defect, "cannot change \(path): another program changed it at the same time. Try again")
    }
    // Fails if the directory contains other files.
    if new == nil { rmdir(resolved.parentDirectory) }
    return old != nil && hasBackup ? backup.path : nil
  }
}
