import Foundation
import Router
import RouterClient

/// A headless terminal under tmux that runs a shell.
final class TestTerminal: Sendable {
  private let socket: String
  private let directory: String
  /// A tmux client in control mode, which reports when something is drawn.
  private let watcher: ChildProcess
  private let watcherInput: ChildPipe

  private init(in directory: String, columns: Int, rows: Int, environment: [String: String]) async throws {
    self.directory = directory
    socket = directory + "/tmux-\(UUID().uuidString.prefix(8))"
    let shell = ["PS1=$ ", "HISTFILE=", "LC_ALL=C.UTF-8"] + environment.map { "\($0)=\($1)" }
    watcherInput = try ChildPipe()
    watcher = try ChildProcess(
      "/usr/bin/env",
      [
        "-u", "TMUX", "-u", "NO_COLOR", "tmux", "-u", "-C", "-S", socket, "-f", "/dev/null", "new-session", "-x", "\(columns)",
        "-y", "\(rows)",
      ]
        + ["/usr/bin/env"] + shell + ["/bin/bash", "--norc", "--noprofile", "-i"],
      environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"], input: watcherInput.reading)
    // tmux 3.3a may crash on a command that arrives before its first session exists.
    try await event("%session-changed")
    try await resize(columns: columns, rows: rows)
    try await until { $0.contains("$") }
  }

  /// Starts a terminal, and retries if the tmux server crashes before its shell runs.
  private static func start(
    in directory: String, columns: Int, rows: Int, environment: [String: String]
  ) async throws -> TestTerminal {
    for _ in 1..<5 {
      do {
        return try await TestTerminal(in: directory, columns: columns, rows: rows, environment: environment)
      } catch is ServerEnded {
        // The fifth and last attempt.
      }
    }
    return try await TestTerminal(in: directory, columns: columns, rows: rows, environment: environment)
  }

  private struct ServerEnded: Error {}

  /// Runs a body with a terminal, and always ends the terminal and everything in it.
  static func run(
    in daemon: TestDaemon, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
    _ body: (TestTerminal) async throws -> Void
  ) async throws {
    let terminal = try await start(in: daemon.directory, columns: columns, rows: rows, environment: environment)
    do {
      try await body(terminal)
    } catch {
      _ = try? await terminal.tmux("kill-server")
      throw error
    }
    try await terminal.tmux("kill-server")
  }

  /// Starts `routerctl present` and waits until it is attached.
  func present(on daemon: TestDaemon, name: String = "terminal", _ arguments: String = "") async throws {
    let program = ChildProcess.products.appending(path: "routerctl").path
    try await type("clear; \(program) present --socket \(daemon.socket) --name \(name) \(arguments)", "Enter")
    try await until { $0.contains("Waiting for prompts on main.") }
    try await daemon.eventually("\(name) is attached") {
      try await daemon.client.surfaces().contains { $0.presenters.contains { $0.name == name } }
    }
  }

  /// Runs a command and waits until the shell is ready for the next.
  func run(_ command: String) async throws {
    let mark = "done-\(UUID().uuidString.prefix(8))"
    try await type(command + "; echo \(mark.prefix(7))''\(mark.dropFirst(7))", "Enter")
    try await until { $0.contains(mark) }
  }

  /// Waits until the shell shows its prompt. A program that is still ending would read what is typed for the shell.
  func untilShell() async throws {
    try await until { $0.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("$") }
  }

  /// Types text, then presses keys by their names in tmux.
  func type(_ text: String, _ keys: String...) async throws {
    if !text.isEmpty { try await tmux("send-keys", "-l", "--", text) }
    if !keys.isEmpty { try await tmux(["send-keys"] + keys) }
  }

  /// Presses keys by their names in tmux.
  func press(_ keys: String...) async throws {
    try await tmux(["send-keys"] + keys)
  }

  func resize(columns: Int, rows: Int) async throws {
    try await tmux("set-option", "-g", "window-size", "manual")
    try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// Returns the visible text.
  func text(withColors: Bool = false) async throws -> String {
    try await tmux(["capture-pane", "-p"] + (withColors ? ["-e"] : [])).joined(separator: "\n")
  }

  var lines: [String] {
    get async throws { try await text().components(separatedBy: "\n") }
  }

  /// Waits until the visible text satisfies a condition.
  @discardableResult func until(_ isSo: (String) -> Bool) async throws -> String {
    while true {
      let text = try await text()
      if isSo(text) { return text }
      // Each redraw is reported, so no change is missed.
      try await event("%output", "%layout-change")
    }
  }

  /// Waits for the next event with one of these names.
  private func event(_ names: String...) async throws {
    var events = watcher.output.makeAsyncIterator()
    while let event = await events.next() {
      if names.contains(where: { event.hasPrefix($0) }) { return }
    }
    throw ServerEnded()
  }

  /// Waits until the prompt accepts keys.
  @discardableResult func untilArmed(_ text: String) async throws -> String {
    try await until { $0.contains(text) && !$0.contains("one moment") && $0.contains("Esc") }
  }

  /// Saves the visible text for the documentation, if `ROUTER_CAPTURES` names a directory.
  func keep(_ name: String) async throws {
    guard let directory = ProcessInfo.processInfo.environment["ROUTER_CAPTURES"] else { return }
    let text = try await text()
    try text.write(toFile: "\(directory)/\(name).txt", atomically: true, encoding: .utf8)
  }

  @discardableResult private func tmux(_ arguments: String...) async throws -> [String] {
    try await tmux(arguments)
  }

  @discardableResult private func tmux(_ arguments: [String]) async throws -> [String] {
    while true {
      let process = try ChildProcess(
        "/usr/bin/tmux", ["-u", "-S", socket] + arguments, environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"])
      let output = await process.allOutput()
      if await process.exitStatus() == 0 { return output }
      var errors = process.errors.makeAsyncIterator()
      let error = await errors.next() ?? ""
      guard !watcher.hasEnded else { throw ServerEnded() }
      // The watcher's server is not running yet.
      guard
        error.contains("No such file") || error.contains("no server") || error.contains("no current")
          || error.contains("can't find")
      else {
        throw RouterError(.unreachable, "cannot use tmux: \(error)")
      }
    }
  }
}
