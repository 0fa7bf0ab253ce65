import OrderedCollections
import Router

/// The prompt for the use of a key.
struct SSHAgentQuestion {
  static let (allow, deny) = ("allow", "deny")

  private let use: SSHKeyUse
  private let caller: SSHAgentClient.Caller
  private let key: SSHPublicKey
  private let host: SSHKnownHosts.Host
  private let forwarders: [String]

  init(_ use: SSHKeyUse, by caller: SSHAgentClient.Caller, _ hosts: SSHKnownHosts) {
    (self.use, self.caller, key) = (use, caller, SSHPublicKey(use.key))
    let candidates = SSHHostNames.candidates(caller.arguments ?? [])
    if case .login(_, let key) = use.purpose {
      host = hosts.host(SSHPublicKey(key), candidates: candidates)
    } else {
      host = SSHKnownHosts.Host()
    }
    forwarders = use.forwarders.map { key in
      let key = SSHPublicKey(key)
      return hosts.host(key, candidates: candidates).name?.quotedUnlessPlain ?? key.fingerprint
    }
  }

  func request(surface: String, timeout: Duration) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: title, message: message,
      buttons: [
        PresentationRequest.Button(id: Self.allow, label: "Allow"),
        PresentationRequest.Button(id: Self.deny, label: "Deny", role: .cancel, isDefault: !cautions.isEmpty),
      ],
      app: caller.app, surface: surface, priority: .high, timeout: timeout)
    // Attachments are shown in full, and above the message.
    request.attachments = [PresentationRequest.Attachment(.text, asker, title: "Asked by")]
    if !cautions.isEmpty {
      let text = cautions.joined(separator: "\n")
      request.attachments.insert(PresentationRequest.Attachment(.text, text, title: "CAUTION"), at: 0)
    }
    // Only an ancestor of this process can be the request's agent, whose answers the daemon refuses.
    if let session = caller.pid.flatMap(AgentSession.above) { request.metadata = session.metadata }
    if let act {
      request.act = act
      request.remember = PresentationRequest.Remember(matches: [.exact], periods: [.session, .seconds(3600)])
    }
    return request
  }

  /// Whether ssh asks for a signature, which it does only for a program on a host that the agent is forwarded to.
  private var isForwarded: Bool {
    if case .signature = use.purpose, caller.program?.fileName == "ssh" { return true }
    return use.isForwarded
  }

  private var keyName: String {
    guard let comment = use.comment, !comment.isEmpty else { return key.fingerprint }
    return String(showing: comment).quotedUnlessPlain
  }

  private var title: String {
    let purpose =
      switch use.purpose {
      case .login(let user, let key):
        "for \(Self.account(user))@\(host.name?.quotedUnlessPlain ?? SSHPublicKey(key).fingerprint)"
      case .unboundLogin(let user): "for \(Self.account(user)) on an unknown host"
      case .signature(let namespace): "for a \(String(showing: namespace).quotedUnlessPlain) signature"
      case .unknown: "for data of an unknown form"
      }
    return "Use the key \(keyName) \(purpose)\(isForwarded ? ", forwarded?" : "?")"
  }

  /// The name of an account, in quotation marks if it contains an `@`, which could imitate a host.
  private static func account(_ user: [UInt8]) -> String {
    let name = String(showing: user).quotedUnlessPlain
    return user.contains(UInt8(ascii: "@")) && !name.begins(with: "“") ? "“\(name)”" : name
  }

  private var message: String {
    var lines = ["Key: \(key.fingerprint)\(key.kind.map { " (\($0.quotedUnlessPlain))" } ?? "")"]
    if case .login(_, let key) = use.purpose {
      let key = SSHPublicKey(key).fingerprint
      let name = host.name.map { "\($0.quotedUnlessPlain), by known_hosts" } ?? "not in known_hosts"
      lines.append("Host: \(name); its key is \(key)")
    }
    return lines.joined(separator: "\n")
  }

  /// The processes and the command line, as the kernel reports them.
  private var asker: String {
    guard caller.pid != nil else { return "a process that has ended or cannot be seen" }
    let command = caller.arguments.map { [$0.map(\.shellQuoted).joined(separator: " ")] } ?? []
    return ([caller.ancestry.text] + command).map(\.inOneLine).joined(separator: "\n").cut(toBytes: 60_000)
  }

  /// The reasons to look twice. Such a request is not remembered.
  private var cautions: [String] {
    var cautions: [String] = []
    switch use.purpose {
    case .login: break
    case .unboundLogin:
      cautions.append("The host is not proven: the program did not name it, or the agent did not accept the proof.")
    case .signature: break
    case .unknown: cautions.append("The form of the data is unknown. The signature may log in to any host.")
    }
    if isForwarded {
      let places = forwarders.isEmpty ? "another host" : forwarders.joined(separator: ", then ")
      cautions.append("The request is forwarded: a program on \(places) asks.")
    }
    if caller.program == nil { cautions.append("It is not certain which program asks.") }
    if host.isRevoked { cautions.append("known_hosts marks the host's key as revoked.") }
    return cautions.map(\.inOneLine)
  }

  /// The act, which binds key, host and program; `nil` for a request that must not be remembered.
  private var act: Act? {
    guard cautions.isEmpty, let program = caller.program else { return nil }
    var facts: OrderedDictionary<String, String> = ["key": key.fingerprint]
    let object: String
    switch use.purpose {
    case .login(let user, let hostKey):
      let hostKey = SSHPublicKey(hostKey).fingerprint
      facts["hostkey"] = hostKey
      object = "\(String(showing: user))@\(host.name ?? hostKey)"
    case .signature(let namespace):
      facts["namespace"] = String(showing: namespace)
      object = "signature"
    case .unboundLogin, .unknown: return nil
    }
    facts["program"] = program
    if let script = caller.script { facts["script"] = script }
    let act = Act("ssh-sign", object: object.inOneLine, environment: facts)
    return act.isValid ? act : nil
  }
}

extension String {
  /// The text in one line, with every invisible or reordering character escaped.
  fileprivate var inOneLine: String { exact.replacing(each: "\n", with: "\\u{A}") }

  /// A name of another program: in quotation marks, unless it consists of letters, digits and `.-_@:[]/+` only.
  fileprivate var quotedUnlessPlain: String {
    let isPlain =
      !isEmpty && utf8.count <= 80
      && utf8.allSatisfy { byte in
        byte.lowercasedASCII.isSmallLetter || "0123456789.-_@:[]/+".utf8.contains(byte)
      }
    if isPlain { return self }
    let text = inOneLine.replacing(anyOf: "“”", with: "\"")
    return "“\(text.utf8.count <= 80 ? text : text.scalars(fitting: 80) + "…")”"
  }
}
