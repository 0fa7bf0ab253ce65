import FoundationEssentials
import Router
import RouterClient
import RouterCommandLine

/// Follows the events of OpenCode's server: asks about each permission, and replies.
actor OpenCodeFollower {
  private static let pause = Duration.seconds(1)

  private let http: UnixSocketHTTP
  private let headers: HeaderFields
  private let decide: @Sendable (ToolCall) async -> ToolDecision
  /// The questions that wait for an answer, by the ids of their permissions.
  private var open: [String: Task<Void, Never>] = [:]
  private var isReachable: Bool?
  /// Whether the questions from before this stream have been read.
  private var hasListed = false

  init(port: UInt16, directory: String?, decide: @escaping @Sendable (ToolCall) async -> ToolDecision) {
    http = UnixSocketHTTP(port: port, listener: "OpenCode")
    var headers = HeaderFields()
    if let directory { headers.add(name: "x-opencode-directory", value: directory.percentEncoded()) }
    if let password = environmentVariable("OPENCODE_SERVER_PASSWORD") {
      let user = environmentVariable("OPENCODE_SERVER_USERNAME") ?? "opencode"
      headers.add(name: "Authorization", value: "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }
    self.headers = headers
    self.decide = decide
  }

  /// Follows the server until the task is canceled, and connects again whenever the stream ends.
  func run() async {
    while !Task.isCancelled {
      hasListed = false
      do {
        try await http.attemptEvents(of: HTTPCall(.GET, "/event", headers: headers)) { events in
          for event in events { await self.receive(event.data) }
        }
      } catch {
        report(false, "\((error as? RouterError)?.message ?? "cannot reach OpenCode at \(http.path)"); trying again")
      }
      // OpenCode's questions do not survive its end.
      withdraw(Array(open.keys))
      try? await PresentationClock.system.sleep(for: Self.pause)
    }
  }

  private func receive(_ json: JSONValue) async {
    report(true, "following OpenCode at \(http.path)")
    if !hasListed {
      hasListed = true
      for request in await get("/permission")?.array ?? [] {
        if let permission = OpenCodePermission(request) { ask(permission) }
      }
    }
    switch OpenCodeEvent(json) {
    case .asked(let permission): ask(permission)
    case .replied(let id): withdraw([id])
    case nil: break
    }
  }

  private func report(_ isReachable: Bool, _ message: String) {
    guard self.isReachable != isReachable else { return }
    self.isReachable = isReachable
    FrontEnd.warn("routerctl", message)
  }

  private func ask(_ permission: OpenCodePermission) {
    guard open[permission.id] == nil else { return }
    open[permission.id] = Task { await answer(permission) }
  }

  private func withdraw(_ ids: [String]) {
    for id in ids { open.removeValue(forKey: id)?.cancel() }
  }

  private func answer(_ permission: OpenCodePermission) async {
    let message = if let path = permission.messagePath { await get(path) } else { nil as JSONValue? }
    let directory = await get(permission.sessionPath)?["directory"]?.string
    let decision = await decide(permission.call(message: message, directory: directory))
    guard !Task.isCancelled else { return }
    open[permission.id] = nil
    guard let reply = OpenCodePermission.reply(decision) else { return }
    var call = HTTPCall(.POST, permission.replyPath, headers: headers, body: Array(reply.description.utf8))
    call.headers.add(name: "Content-Type", value: "application/json")
    let status = try? await http.reply(to: call).status
    if status != 200 {
      FrontEnd.warn("routerctl", "cannot reply to OpenCode: \(status.map { "it responded with \($0)" } ?? "it is gone")")
    }
  }

  private func get(_ path: String) async -> JSONValue? {
    guard let reply = try? await http.reply(to: HTTPCall(.GET, path, headers: headers)), reply.status == 200 else { return nil }
    return try? JSONValue(parsing: reply.body, maximumDepth: MCPServer.maximumDepth)
  }
}
