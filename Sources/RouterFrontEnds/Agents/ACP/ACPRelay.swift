import Router

/// Decides what happens to each line between an ACP client and its agent. Every line goes on unchanged, except permission requests,
/// which Router answers.
struct ACPRelay: Sendable {
  enum Action: Sendable, Hashable {
    case toAgent([UInt8])
    case toClient([UInt8])
    case ask(ACPPermission)
    case withdraw(ACPPermission)
  }

  private let app: String
  /// The permission requests that wait for an answer, with their lines.
  private var pending: [(permission: ACPPermission, line: [UInt8])] = []
  /// The directories of sessions, and of requests for a new session by their ids.
  private var (directories, asked): ([String: String], [JSONValue: String]) = ([:], [:])

  init(app: String) { self.app = app }

  mutating func fromClient(_ line: [UInt8]) -> [Action] {
    guard let message = Self.message(line), let method = message["method"]?.string else { return [.toAgent(line)] }
    let (session, directory) = (message["params"]?["sessionId"]?.string, message["params"]?["cwd"]?.string)
    switch (method, session) {
    case ("session/new", _): if let id = message["id"] { asked[id] = directory }
    case ("session/load", let session?), ("session/resume", let session?): directories[session] = directory
    case ("session/cancel", let session?): return end { $0.call.session == session } + [.toAgent(line)]
    default: break
    }
    return [.toAgent(line)]
  }

  mutating func fromAgent(_ line: [UInt8]) -> [Action] {
    guard let message = Self.message(line) else { return [.toClient(line)] }
    if message["method"] == nil, let id = message["id"], let directory = asked.removeValue(forKey: id) {
      if let session = message["result"]?["sessionId"]?.string { directories[session] = directory }
    } else if let permission = ACPPermission(message, app: app, directory: { directories[$0] }) {
      pending.append((permission, line))
      return [.ask(permission)]
    } else if message["method"] == "$/cancel_request", let id = message["params"]?["requestId"],
      pending.contains(where: { $0.permission.id == id })
    {
      return end { $0.id == id }
    }
    return [.toClient(line)]
  }

  /// Takes the decision about a request.
  mutating func decided(_ permission: ACPPermission, _ decision: ToolDecision) -> [Action] {
    guard let index = pending.firstIndex(where: { $0.permission == permission }) else { return [] }
    let line = pending.remove(at: index).line
    return [permission.response(decision).map { .toAgent(Self.line($0)) } ?? .toClient(line)]
  }

  /// Cancels requests, as a client must after `session/cancel`.
  private mutating func end(_ isEnded: (ACPPermission) -> Bool) -> [Action] {
    let ended = pending.map(\.permission).filter(isEnded)
    pending.removeAll { isEnded($0.permission) }
    return ended.flatMap { [.toAgent(Self.line($0.response(selecting: nil))), .withdraw($0)] }
  }

  /// Parses a line; `nil` if it is not JSON.
  private static func message(_ line: [UInt8]) -> JSONValue? {
    try? JSONValue(parsing: line, maximumDepth: MCPServer.maximumDepth)
  }

  private static func line(_ message: JSONValue) -> [UInt8] { Array((message.description + "\n").utf8) }
}
