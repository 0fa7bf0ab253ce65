import Foundation
import Router

/// Another user of the machine, who calls with curl. Requires root.
struct OtherUser: Sendable {
  var uid: UInt32
  var gid: UInt32 = 60001
  var groups: [UInt32] = []

  static let isPossible = geteuid() == 0
  static let reason = "only root can run programs as somebody else"

  /// The reply to a call.
  struct Reply: Sendable {
    let status: Int
    let body: String

    var json: JSONValue { get throws { try JSONValue(parsing: body) } }
  }

  /// Returns the arguments of setpriv(1) that run a program as this user.
  func running(_ program: [String]) -> [String] {
    let others = groups.isEmpty ? ["--clear-groups"] : ["--groups", groups.map(String.init).joined(separator: ",")]
    return ["--reuid", "\(uid)", "--regid", "\(gid)"] + others + program
  }

  /// Starts curl, whose process is the caller.
  func start(
    _ daemon: TestDaemon, _ method: String, _ path: String, body: String? = nil, headers: [String] = [], socket: String? = nil
  ) throws -> ChildProcess {
    var arguments = ["/usr/bin/curl", "-sSNi", "--unix-socket", socket ?? daemon.socket, "-X", method, "http://routerd" + path]
    if let body { arguments += ["-d", body] }
    for header in headers { arguments += ["-H", header] }
    return try ChildProcess("/usr/bin/setpriv", running(arguments))
  }

  /// Returns the status of a call whose response may not end.
  func status(
    _ daemon: TestDaemon, _ method: String, _ path: String, body: String? = nil, socket: String? = nil
  ) async throws -> Int? {
    let curl = try start(daemon, method, path, body: body, socket: socket)
    defer { curl.signal(SIGKILL) }
    for await line in curl.output { return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    return nil
  }

  /// Makes a call and waits for the whole response.
  func call(
    _ daemon: TestDaemon, _ method: String, _ path: String, body: String? = nil, headers: [String] = []
  ) async throws -> Reply {
    let lines = try await start(daemon, method, path, body: body, headers: headers).allOutput()
    let end = lines.firstIndex { $0.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty } ?? lines.endIndex
    return Reply(
      status: lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
      body: lines[end...].dropFirst().joined(separator: "\n"))
  }

  /// Submits a detached request and returns the presentation's id.
  func ask(_ daemon: TestDaemon, _ title: String) async throws -> String {
    let reply = try await call(
      daemon, "POST", "/v1/presentations", body: #"{"kind":"alert","title":"\#(title)","app":"other"}"#,
      headers: ["Prefer: respond-async"])
    guard reply.status == 202, let id = try reply.json["id"]?.string else {
      throw RouterError(.unreachable, "cannot ask: \(reply.body)")
    }
    return id
  }
}
