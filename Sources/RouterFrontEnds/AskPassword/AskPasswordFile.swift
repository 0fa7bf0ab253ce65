import Glibc
import OrderedCollections
import Router

/// A question in systemd's password directory: an `ask.*` file, as documented in systemd's "Password Agents" page.
struct AskPasswordFile: Sendable, Hashable {
  /// The asking process; `nil` if the file does not name one.
  var pid: Int32?
  /// The datagram socket to send the answer to.
  var socket: String
  /// Whether to echo the answer as it is typed.
  var echo = false
  /// The expiry time of the question, in microseconds of `CLOCK_MONOTONIC`; `nil` for never.
  var notAfter: Int64?
  var message: String?
  /// The purpose of the password, such as `cryptsetup:/dev/sda2`.
  var id: String?

  /// The reason why a file is not a valid question.
  struct Malformed: Error, Hashable {
    var reason: String
  }

  /// Parses a file's text. Ignores unknown keys and sections; a known key with an invalid value is an error.
  init(_ text: String) throws(Malformed) {
    var values: [String: String] = [:]
    var section: Substring?
    for line in text.split(at: "\n") where !line.begins(with: "#") && !line.begins(with: ";") {
      if line.begins(with: "["), line.ends(with: "]") {
        section = line.dropFirst().dropLast()
      } else if section == "Ask", let (name, value) = line.cut(at: "=") {
        let key = String(name)
        guard Self.keys.contains(key) else { continue }
        // systemd does not escape messages: a message's second line must not override a key.
        guard values.updateValue(String(value), forKey: key) == nil else {
          throw Malformed(reason: "duplicate \(key)")
        }
      }
    }
    guard let socket = values["Socket"], socket.begins(with: "/") else {
      throw Malformed(reason: "Socket is not an absolute path")
    }
    self.socket = socket
    if let text = values["PID"] {
      guard let pid = Int32(text), pid > 0 else { throw Malformed(reason: "PID is not a process id") }
      self.pid = pid
    }
    if let text = values["NotAfter"] {
      guard let time = Int64(text), time >= 0 else { throw Malformed(reason: "NotAfter is not a time") }
      notAfter = time == 0 ? nil : time
    }
    if let text = values["Echo"] {
      guard let echo = Self.boolean(text) else { throw Malformed(reason: "Echo is not a boolean") }
      self.echo = echo
    }
    (message, id) = (values["Message"], values["Id"])
  }

  private static let keys: Set = ["PID", "Socket", "NotAfter", "Echo", "Message", "Id"]

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "yes", "y", "true", "t", "on": true
    case "0", "no", "n", "false", "f", "off": false
    default: nil
    }
  }

  /// Returns the prompt for the question; `nil` if it has expired.
  func request(surface: String, now: Int64) -> PresentationRequest? {
    var request = PresentationRequest(kind: .sheet, sheet: "ask-password", surface: surface, sensitive: true)
    if let notAfter {
      guard notAfter > now else { return nil }
      request.timeout = min(.microseconds(notAfter - now), .seconds(315_360_000))
    }
    request.setText(message ?? "", title: "The system asks for a password")
    let field = FormSchema.Property(
      name: "password", kind: .string, title: echo ? "Answer" : "Password", format: echo ? nil : .password)
    request.schema = FormSchema(properties: [field])
    if let pid { request.addAsker(ProcessAncestry(of: pid)) }
    if let id {
      request.metadata["id"] = id.escapedForTerminal().cut(toBytes: 1024)
      let name = ProcessIdentity(
        uid: 0, gid: 0, pid: 0, executable: id.split(at: ":", omittingEmptySubsequences: false).first.map(String.init)
      ).name
      if name != "unknown" { request.app = name }
    }
    if request.app == nil { request.app = "systemd" }
    return request
  }

  /// Whether the asking process is still running.
  var isAsked: Bool { pid.map { kill($0, 0) == 0 || errno == EPERM } ?? true }
}
