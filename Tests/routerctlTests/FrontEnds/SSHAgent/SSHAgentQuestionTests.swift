import OrderedCollections
import Router
import Testing

@testable import RouterFrontEnds

struct SSHAgentQuestionTests {
  private typealias Samples = SSHAgentSamples

  private static let ssh = SSHAgentClient.Caller(
    pid: 812,
    ancestry: ProcessAncestry([
      ProcessAncestry.Process(pid: 812, uid: 1000, name: "ssh", arguments: [Array("ssh".utf8), Array("git@github.com".utf8)]),
      ProcessAncestry.Process(pid: 800, uid: 1000, name: "git"),
    ]),
    app: "ssh", program: "/usr/bin/ssh")

  private static let hosts = SSHKnownHosts(
    texts: [Array("github.com ssh-ed25519 \(SSHPublicKey(Samples.host).base64)\n".utf8)])

  private static let binding = Samples.binding()

  /// - Parameter bindings: The frames that the upstream agent accepted.
  private func request(
    _ data: [UInt8], comment: String = "work@laptop", by caller: SSHAgentClient.Caller = ssh, _ hosts: SSHKnownHosts = hosts,
    bindings: [[UInt8]] = [binding]
  ) throws -> PresentationRequest {
    var relay = SSHAgentRelay()
    for frame in bindings {
      relay.receive(fromClient: frame)
      relay.receive(fromUpstream: Samples.success)
      relay.remove(toClient: relay.toClient.count)
    }
    relay.receive(fromClient: Samples.sign(data))
    relay.receive(fromUpstream: Samples.identities((Samples.key, comment)))
    let use = try #require(relay.question)
    let request = SSHAgentQuestion(use, by: caller, hosts).request(surface: "main", timeout: .seconds(60))
    #expect(throws: Never.self) { _ = try ValidRequest(request) }
    return request
  }

  private func isMarked(_ request: PresentationRequest) -> Bool {
    request.act == nil && request.remember == nil && request.attachments.map(\.title) == ["CAUTION", "Asked by"]
      && request.buttons.first(where: \.isDefault)?.id == "deny"
  }

  @Test func `names key, account, host and program`() throws {
    let request = try request(Samples.login())
    let (key, host) = (SSHPublicKey(Samples.key).fingerprint, SSHPublicKey(Samples.host).fingerprint)
    #expect(request.title == "Use the key work@laptop for git@github.com?")
    #expect(
      request.message == """
        Key: \(key) (ssh-ed25519)
        Host: github.com, by known_hosts; its key is \(host)
        """)
    let asker = PresentationRequest.Attachment(.text, "ssh (812) ← git (800)\nssh 'git@github.com'", title: "Asked by")
    #expect(request.attachments == [asker])
    #expect(request.app == "ssh" && !request.buttons.contains(where: \.isDefault))
    let facts: OrderedDictionary = ["key": key, "hostkey": host, "program": "/usr/bin/ssh"]
    #expect(request.act == Act("ssh-sign", object: "git@github.com", environment: facts))
    #expect(request.remember?.matches == [.exact])
  }

  @Test func `shows fingerprints without a comment and a known host`() throws {
    let request = try request(Samples.login(), comment: "", SSHKnownHosts(texts: []))
    let (key, host) = (SSHPublicKey(Samples.key).fingerprint, SSHPublicKey(Samples.host).fingerprint)
    #expect(request.title == "Use the key \(key) for git@\(host)?")
    #expect(request.message?.contains("Host: not in known_hosts; its key is \(host)") == true)
    #expect(request.act?.object == "git@\(host)")
  }

  @Test func `names the namespace of a signature`() throws {
    let keygen = SSHAgentClient.Caller(pid: 1, app: "ssh-keygen", program: "/usr/bin/ssh-keygen")
    let git = try request(Samples.signature(), by: keygen, bindings: [])
    #expect(git.title == "Use the key work@laptop for a git signature?")
    #expect(git.act?.object == "signature" && git.act?.environment["namespace"] == "git")
    #expect(git.act != (try request(Samples.signature("file"), by: keygen, bindings: [])).act)
    // Only a forwarded agent's ssh asks for a signature.
    #expect(isMarked(try request(Samples.signature(), bindings: [])))
  }

  @Test func `marks and never remembers unbound, forwarded, revoked and unknown requests`() throws {
    let unbound = try request(Samples.login(), bindings: [])
    #expect(isMarked(unbound))
    #expect(unbound.title == "Use the key work@laptop for git on an unknown host?")
    let forwarding = Samples.binding(Samples.gateway, session: [7], isForwarding: true)
    let forwarded = try request(Samples.login(), bindings: [forwarding, Self.binding])
    #expect(isMarked(forwarded))
    #expect(forwarded.title == "Use the key work@laptop for git@github.com, forwarded?")
    #expect(forwarded.attachments.first?.text.contains(SSHPublicKey(Samples.gateway).fingerprint) == true)
    let revoked = SSHKnownHosts(texts: [Array("@revoked * ssh-ed25519 \(SSHPublicKey(Samples.host).base64)".utf8)])
    #expect(isMarked(try request(Samples.login(), revoked)))
    let unknown = try request(Array("text".utf8))
    #expect(isMarked(unknown))
    #expect(unknown.title == "Use the key work@laptop for data of an unknown form?")
  }

  @Test func `does not remember an answer for a program that is not certain`() throws {
    for caller in [SSHAgentClient.Caller(), SSHAgentClient.Caller(pid: 5, app: "x")] {
      let request = try request(Samples.login(), by: caller)
      #expect(isMarked(request))
    }
    #expect(
      try request(Samples.login(), by: SSHAgentClient.Caller()).attachments.last?.text.hasPrefix("a process that has ended")
        == true)
  }

  @Test func `quotes and escapes hostile names`() throws {
    let request = try request(
      Samples.login("a\u{1B}[2J\n@b"), comment: "x for git@good?” \u{202E}\u{200B}\nHost: y",
      SSHKnownHosts(texts: [Array("h\u{1B}x ssh-ed25519 \(SSHPublicKey(Samples.host).base64)".utf8)]))
    #expect(
      request.title
        == "Use the key “x for git@good?\" \\u{202E}\\u{200B}\\u{A}Host: y” for “a\\u{1B}[2J\\u{A}@b”@“h\\u{1B}x”?")
    let long = try self.request(Samples.login("a@good.example"), comment: String(repeating: "ä", count: 100_000))
    #expect(long.title?.contains("“a@good.example”@github.com") == true)
    #expect((long.title?.utf8.count ?? 0) < 300)
  }
}
