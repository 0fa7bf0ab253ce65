import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// Codex's trust in hooks. Codex silently skips hooks that the user has not trusted, and any change to a hook revokes the
/// trust.
///
/// Lists and trusts the hooks through Codex's own app server, because the hash algorithm is internal to Codex.
struct CodexTrust: Sendable {
  struct Hook: Sendable, Hashable {
    let key: String
    let hash: String
    let isTrusted: Bool
    let isEnabled: Bool
  }

  /// The time limit for the entire exchange with Codex.
  private static let patience = Duration.seconds(20)

  let program: String

  /// Returns the `codex` in PATH; `nil` if there is none.
  static func find() -> CodexTrust? {
    RealProgram.path(of: "codex").map(CodexTrust.init)
  }

  /// Returns Router's hooks in a directory, as reported by Codex.
  func hooks(in directory: String) throws -> [Hook] {
    try session { call in try Self.hooks(in: directory, call) }
  }

  /// Makes Codex trust Router's hooks.
  ///
  /// - Returns: The hooks afterward, as reported by Codex.
  func trust(in directory: String) throws -> [Hook] {
    try session { call in
      let untrusted = try Self.hooks(in: directory, call).filter { !$0.isTrusted }
      guard !untrusted.isEmpty else { return try Self.hooks(in: directory, call) }
      let state = untrusted.map { ($0.key, ["trusted_hash": .string($0.hash)] as JSONValue) }
      _ = try call(
        "config/batchWrite",
        ["edits": [["keyPath": "hooks.state", "value": .members(state), "mergeStrategy": "upsert"]]])
      return try Self.hooks(in: directory, call)
    }
  }

  private typealias Call = (String, JSONValue) throws -> JSONValue

  private static func hooks(in directory: String, _ call: Call) throws -> [Hook] {
    let result = try call("hooks/list", ["cwds": [.string(directory)]])
    let listed = (result["data"]?.array ?? []).flatMap { $0["hooks"]?.array ?? [] }
    return listed.compactMap { hook in
      guard let key = hook["key"]?.string, let command = hook["command"]?.string, let hash = hook["currentHash"]?.string,
        HookSettings.Handler(event: "", command: command, timeout: nil).isRouters
      else { return nil }
      let status = hook["trustStatus"]?.string
      return Hook(
        key: key, hash: hash, isTrusted: status == "trusted" || status == "managed",
        isEnabled: hook["enabled"]?.bool ?? true)
    }
  }

  /// Runs Codex's app server, which exchanges one JSON message per line and may answer out of order.
  private func session<Result>(_ body: (Call) throws -> Result) throws -> Result {
    let (requests, replies) = (try Pipe(), try Pipe())
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    let child = try ChildProcess(
      program, ["app-server"], descriptors: (requests.readEnd, replies.writeEnd, nothing))
    for descriptor in [nothing, requests.readEnd, replies.writeEnd] { close(descriptor) }
    signal(SIGPIPE, SIG_IGN)
    defer {
      close(requests.writeEnd)
      close(replies.readEnd)
      child.signal(SIGTERM)
      _ = child.wait()
    }
    let deadline = ContinuousClock.now + Self.patience
    var buffer: [UInt8] = []
    var count = 0
    func send(_ message: JSONValue) { StandardStream(descriptor: requests.writeEnd).line(message.description) }
    func call(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
      count += 1
      send(["id": .integer(count), "method": .string(method), "params": parameters])
      while true {
        let line = try Self.line(from: replies.readEnd, &buffer, until: deadline)
        guard let message = try? JSONValue(parsing: line, maximumDepth: MCPServer.maximumDepth),
          message["id"]?.number?.integer == count
        else { continue }
        if let result = message["result"] { return result }
        let why = message["error"]?["message"]?.string ?? "no result"
        throw CommandFailure(.defect, "cannot query Codex (\(method)): \(why.shortened)")
      }
    }
    _ = try call(
      "initialize",
      ["clientInfo": ["name": "routerctl", "title": "Router", "version": .string(routerVersion)]])
    send(["method": "initialized"])
    return try body(call)
  }

  private static func line(
    from descriptor: Int32, _ buffer: inout [UInt8], until deadline: ContinuousClock.Instant
  ) throws -> [UInt8] {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return Array(buffer[..<end])
      }
      let left = (deadline - ContinuousClock.now).components.seconds
      var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&readable, 1, Int32(left) * 1000) > 0 else {
        throw CommandFailure(.defect, "cannot query Codex: its app server does not respond")
      }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { throw CommandFailure(.defect, "cannot query Codex: its app server exited") }
      buffer += chunk[..<count]
    }
  }
}

extension CodexTrust {
  private static let variable = "shell_environment_policy.set.BASH_ENV"

  /// Makes Codex trust the hook that was just installed, and its shell read the file before each command.
  @Sendable static func finish(_ environment: String?) throws {
    let advice = "Codex ignores hooks it does not trust. Start codex, enter /hooks, and trust Router's."
    guard let codex = find() else {
      return StandardStream.output.line("Cannot make Codex trust the hook: codex is not in PATH. \(advice)")
    }
    let hooks: [Hook]
    do {
      hooks = try codex.trust(in: AgentHost.directory)
      try codex.setVariable(environment)
    } catch let failure as CommandFailure {
      throw CommandFailure(failure.status, "\(failure.message). \(advice)")
    }
    let trusted = hooks.count(where: \.isTrusted)
    guard trusted == hooks.count, !hooks.isEmpty else {
      throw CommandFailure(.defect, "cannot make Codex trust the hook: it trusts \(trusted) of \(hooks.count). \(advice)")
    }
    StandardStream.output.line("Codex trusts the hook (\(String(counting: trusted, "event"))).")
  }

  @Sendable static func undo() throws { try find()?.setVariable(nil) }

  /// Sets the file that Codex's shell reads before each command, unless it is the user's.
  private func setVariable(_ file: String?) throws {
    try session { call in
      let config = try call("config/read", ["cwd": .string(AgentHost.directory)])["config"]
      let old = config?["shell_environment_policy"]?["set"]?["BASH_ENV"]?.string
      guard old != file, old?.ends(with: "/router/agent/environment") != false else { return }
      _ = try call(
        "config/value/write",
        ["keyPath": .string(Self.variable), "value": file.map(JSONValue.string) ?? .null, "mergeStrategy": "replace"])
      StandardStream.output.line("Codex: \(file == nil ? "removed" : "added") \(Self.variable)")
    }
  }
}
