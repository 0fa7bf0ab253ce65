import OrderedCollections
import Router
import RouterCommandLine

/// An MCP server over newline-delimited JSON. Supports the stateless revision 2026-07-28 and older ones with a handshake.
///
/// Tool calls run concurrently. If the client cancels a call or disconnects, the call ends without a response and its prompt is
/// withdrawn.
final class MCPServer: Sendable {
  static let modernVersion = "2026-07-28"
  static let handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The maximum nesting depth of a message. It exceeds the daemon's limit because a tool's input may be nested deeper.
  static let maximumDepth = 128

  typealias Call = @Sendable (MCPTools.Tool, _ arguments: JSONValue, _ app: String?, MCPPage?) async -> MCPTools.Result

  /// The open calls by the client's id, which the client may reuse after canceling a call.
  private struct OpenCalls {
    var tasks: [JSONValue: (number: Int, task: Task<Void, Never>)] = [:]
    var count = 0
  }

  private let callTool: Call
  private let write: @Sendable (JSONValue) -> Void
  private let calls = Mutex(OpenCalls())
  private struct Client {
    var name: String?
    /// Whether it can open pages for the person.
    var opensPages = false
    var requestCount = 0
    /// The requests to the client that wait for a response, by id.
    var requests: [String: AsyncStream<JSONValue>.Continuation] = [:]
  }

  /// The client, by the handshake.
  private let client = Mutex(Client())

  /// - Parameter write: Writes one message. May be called from several threads at once.
  init(call: @escaping Call, write: @escaping @Sendable (JSONValue) -> Void) {
    callTool = call
    self.write = write
  }

  /// Serves until the input ends, then withdraws all prompts and waits for their calls to end.
  func run(_ lines: AsyncStream<[UInt8]>) async {
    for await line in lines where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { receive(line) }
    let open = calls.withLock { calls in
      defer { calls.tasks = [:] }
      return calls.tasks.values.map(\.task)
    }
    for call in open { call.cancel() }
    for call in open { await call.value }
  }

  private struct Failure: Error {
    let code: Int
    let message: String
    var data: JSONValue?

    static func invalidParameters(_ message: String) -> Failure { Failure(code: -32602, message: message) }
  }

  func receive(_ line: [UInt8]) {
    let message: JSONValue
    do {
      message = try JSONValue(parsing: line, maximumDepth: Self.maximumDepth)
    } catch {
      return respond(to: .null, Failure(code: -32700, message: "Parse error: \(error)"))
    }
    let id = message["id"]
    guard message.object != nil, message["jsonrpc"] == "2.0", id == nil || id?.string != nil || id?.number != nil else {
      return respond(to: .null, Failure(code: -32600, message: "Invalid request: send one JSON-RPC 2.0 message per line"))
    }
    guard let method = message["method"]?.string else {
      if message["result"] != nil || message["error"] != nil { return take(message) }
      return respond(to: id ?? .null, Failure(code: -32600, message: "Invalid request: \"method\" is missing"))
    }
    let parameters = message["params"] ?? [:]
    guard let id else {
      if method == "notifications/cancelled", let id = parameters["requestId"] { cancel(id) }
      return
    }
    do {
      try answer(id, method, parameters)
    } catch {
      respond(to: id, error)
    }
  }

  private func answer(_ id: JSONValue, _ method: String, _ parameters: JSONValue) throws(Failure) {
    let version = parameters["_meta"]?["io.modelcontextprotocol/protocolVersion"]
    if let version, version.string != Self.modernVersion {
      throw Failure(
        code: -32022, message: "Unsupported protocol version",
        data: ["supported": [.string(Self.modernVersion)], "requested": version])
    }
    let isModern = version != nil
    switch method {
    case "initialize":
      let wanted = parameters["protocolVersion"]?.string ?? ""
      client.withLock { client in
        client.name = parameters["clientInfo"]?["name"]?.string
        client.opensPages = parameters["capabilities"]?["elicitation"]?["url"] != nil
      }
      respond(
        to: id,
        [
          ("protocolVersion", .string(Self.handshakeVersions.contains(wanted) ? wanted : Self.handshakeVersions[0])),
          ("capabilities", Self.capabilities), ("serverInfo", Self.information), ("instructions", Self.instructions),
        ])
    case "server/discover":
      respond(
        to: id,
        [
          ("supportedVersions", [.string(Self.modernVersion)]), ("capabilities", Self.capabilities),
          ("instructions", Self.instructions), ("_meta", ["io.modelcontextprotocol/serverInfo": Self.information]),
        ] + Self.cacheable)
    case "ping": respond(to: id, [])
    case "tools/list":
      respond(to: id, [("tools", .array(MCPTools.definitions))] + (isModern ? Self.cacheable : []))
    case "tools/call": try call(id, parameters, isModern: isModern)
    default: throw Failure(code: -32601, message: "Method not found: \(method.shortened)")
    }
  }

  // MARK: Tool calls

  private func call(_ id: JSONValue, _ parameters: JSONValue, isModern: Bool) throws(Failure) {
    guard let name = parameters["name"]?.string else { throw .invalidParameters("\"name\" is missing") }
    guard let tool = MCPTools.Tool(rawValue: name) else { throw .invalidParameters("Unknown tool: \(name.shortened)") }
    let arguments = parameters["arguments"] ?? [:]
    guard arguments.object != nil else { throw .invalidParameters("\"arguments\" must be an object") }
    let own = parameters["_meta"]?["io.modelcontextprotocol/clientInfo"]?["name"]?.string
    let (app, opensPages) = client.withLock { (own ?? $0.name, $0.opensPages && !isModern) }
    let token = parameters["_meta"]?["progressToken"]
    let isNew = calls.withLock { calls in
      guard calls.tasks[id] == nil else { return false }
      calls.count += 1
      let number = calls.count
      let task = Task {
        let progress = token.map { token in Task { await self.report(token) } }
        let result = await self.callTool(tool, arguments, app, opensPages ? self.page : nil)
        progress?.cancel()
        // A canceled call gets no response, even if its id has been reused.
        guard self.close(id, number) else { return }
        self.respond(to: id, result.members + (isModern ? [("resultType", "complete")] : []))
      }
      calls.tasks[id] = (number, task)
      return true
    }
    if !isNew { throw Failure(code: -32600, message: "Invalid request: a request with this id is open") }
  }

  /// Removes an open call. Returns false if it was canceled.
  private func close(_ id: JSONValue, _ number: Int) -> Bool {
    calls.withLock { calls in
      guard calls.tasks[id]?.number == number else { return false }
      calls.tasks[id] = nil
      return true
    }
  }

  private func cancel(_ id: JSONValue) {
    calls.withLock { $0.tasks.removeValue(forKey: id) }?.task.cancel()
  }

  /// Sends progress notifications so that the client's call does not time out.
  private func report(_ token: JSONValue) async {
    var count = 0
    while !Task.isCancelled {
      count += 1
      write([
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": ["progressToken": token, "progress": .integer(count), "message": "Waiting for the user"],
      ])
      try? await Task.sleep(for: .seconds(10))
    }
  }

  // MARK: Requests to the client

  private var page: MCPPage {
    MCPPage(
      request: { await self.request($0, $1) }, notify: { self.write(["jsonrpc": "2.0", "method": .string($0), "params": $1]) })
  }

  private func request(_ method: String, _ parameters: JSONValue) async -> JSONValue? {
    let (responses, continuation) = AsyncStream<JSONValue>.makeStream()
    let id = client.withLock { client in
      client.requestCount += 1
      let id = "router-\(client.requestCount)"
      client.requests[id] = continuation
      return id
    }
    defer { client.withLock { client in client.requests[id] = nil } }
    write(["jsonrpc": "2.0", "id": .string(id), "method": .string(method), "params": parameters])
    // Ends without a response when the call is canceled.
    for await response in responses { return response["result"] }
    return nil
  }

  private func take(_ response: JSONValue) {
    guard let id = response["id"]?.string else { return }
    client.withLock { $0.requests[id] }?.yield(response)
  }

  // MARK: Messages

  private func respond(to id: JSONValue, _ result: [(String, JSONValue)]) {
    write(["jsonrpc": "2.0", "id": id, "result": .members(result)])
  }

  private func respond(to id: JSONValue, _ failure: Failure) {
    var error: [(String, JSONValue)] = [("code", .integer(failure.code)), ("message", .string(failure.message))]
    if let data = failure.data { error.append(("data", data)) }
    write(["jsonrpc": "2.0", "id": id, "error": .members(error)])
  }

  private static let capabilities: JSONValue = ["tools": [:]]
  private static let information: JSONValue = [
    "name": "router", "version": .string(routerVersion),
  ]
  private static let instructions: JSONValue = """
    Asks the user at this machine, one prompt at a time. Use confirm before anything that cannot be undone, choose to let the \
    user pick one of several options, and form for a few values. Ask for passwords and other secrets with secret only.
    """
  /// The members that 2026-07-28 requires in cacheable results.
  private static let cacheable: [(String, JSONValue)] = [
    ("resultType", "complete"), ("ttlMs", 3_600_000), ("cacheScope", "private"),
  ]
}
