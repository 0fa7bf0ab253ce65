import Testing

@testable import RouterFrontEnds

/// The relay of `routerctl ssh-agent`, without sockets.
struct SSHAgentRelayTests {
  private typealias Samples = SSHAgentSamples

  private static let list = Samples.identities((Samples.key, "work@laptop"))

  /// Takes the bytes to the upstream agent.
  private func takePassed(_ relay: inout SSHAgentRelay) -> [UInt8] {
    let bytes = relay.toUpstream
    relay.remove(toUpstream: bytes.count)
    return bytes
  }

  private func takeReplies(_ relay: inout SSHAgentRelay) -> [UInt8] {
    let bytes = relay.toClient
    relay.remove(toClient: bytes.count)
    return bytes
  }

  /// Sends a frame that passes, and returns the reply that the client gets.
  private func exchange(_ relay: inout SSHAgentRelay, _ frame: [UInt8], _ reply: [UInt8]) {
    relay.receive(fromClient: frame)
    #expect(takePassed(&relay) == frame)
    relay.receive(fromUpstream: reply)
    #expect(takeReplies(&relay) == reply)
  }

  /// Returns the use of a key that a connection asks for after some bindings.
  private func use(_ data: [UInt8], after bindings: [(frame: [UInt8], reply: [UInt8])] = []) -> SSHKeyUse? {
    var relay = SSHAgentRelay()
    exchange(&relay, Samples.requestIdentities, Self.list)
    for (frame, reply) in bindings { exchange(&relay, frame, reply) }
    relay.receive(fromClient: Samples.sign(data))
    #expect(takePassed(&relay).isEmpty && relay.toClient.isEmpty)
    return relay.question
  }

  @Test(arguments: Samples.kindsWithoutKey)
  func `passes messages that use no key unchanged, with keys and garbage in them`(kind: UInt8) {
    var relay = SSHAgentRelay()
    let garbage = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    exchange(&relay, SSHAgentFrame(kind, garbage).bytes, SSHAgentFrame(kind, garbage.reversed()).bytes)
    exchange(&relay, SSHAgentFrame(kind).bytes, Samples.failure)
    for name in Samples.extensionsWithoutKey {
      exchange(&relay, SSHAgentFrame(27, name + garbage).bytes, SSHAgentFrame(29, garbage).bytes)
    }
    #expect(relay.question == nil && !relay.hasEnded)
  }

  @Test func `refuses every other message, such as another agent's extension, without the agent`() {
    let names = ["sign-prehash@arekinath.github.io", "ecdh@joyent.com", "", "Query", "query\0", "session-bind@openssh.com2"]
    var frames = names.map { SSHAgentFrame(27, Samples.strings($0, "key", "data")) }
    frames += ["", "query", "\0\0\0\u{9}query"].map { SSHAgentFrame(27, Array($0.utf8)) }
    for kind in 0...UInt8.max where !Samples.kindsWithoutKey.contains(kind) && kind != 27 {
      frames += [SSHAgentFrame(kind), SSHAgentFrame(kind, [1, 2, 3])]
    }
    var relay = SSHAgentRelay()
    for frame in frames {
      relay.receive(fromClient: frame.bytes)
      #expect(relay.toUpstream.isEmpty && relay.question == nil && takeReplies(&relay) == Samples.failure, "\(frame.bytes)")
    }
  }

  @Test func `passes a request to sign only when it is allowed`() {
    var relay = SSHAgentRelay()
    exchange(&relay, Samples.requestIdentities, Self.list)
    let frame = Samples.sign(Samples.signature())
    relay.receive(fromClient: frame)
    #expect(relay.question?.comment == Array("work@laptop".utf8))
    relay.answer(isAllowed: false)
    #expect(takePassed(&relay).isEmpty)
    #expect(takeReplies(&relay) == Samples.failure)
    relay.receive(fromClient: frame)
    relay.answer(isAllowed: true)
    #expect(takePassed(&relay) == frame)
    let signature = SSHAgentFrame(14, [1, 2, 3]).bytes
    relay.receive(fromUpstream: signature)
    #expect(takeReplies(&relay) == signature)
  }

  @Test func `lists the keys itself when the client has not`() {
    var relay = SSHAgentRelay()
    relay.receive(fromClient: Samples.sign(Samples.signature()))
    #expect(takePassed(&relay) == Samples.requestIdentities)
    #expect(relay.question == nil && relay.isWaiting)
    relay.receive(fromUpstream: Self.list)
    #expect(relay.toClient.isEmpty)
    #expect(relay.question?.comment == Array("work@laptop".utf8))
    relay.answer(isAllowed: false)
    relay.remove(toClient: relay.toClient.count)
    // A key that is not in the list has no comment.
    relay.receive(fromClient: Samples.sign(Samples.signature(), key: Samples.host))
    #expect(takePassed(&relay) == Samples.requestIdentities)
    relay.receive(fromUpstream: Samples.failure)
    #expect(relay.question?.comment == nil && relay.question?.key == Samples.host)
  }

  @Test func `answers pipelined requests in order`() {
    var relay = SSHAgentRelay()
    let (first, last) = (SSHAgentFrame(17, [1]).bytes, SSHAgentFrame(18, [2]).bytes)
    relay.receive(fromClient: first + Samples.sign(Samples.signature()) + last)
    #expect(takePassed(&relay) == first)
    relay.receive(fromUpstream: Samples.success)
    // The next request waits until the client has read the reply.
    #expect(relay.toUpstream.isEmpty)
    #expect(takeReplies(&relay) == Samples.success)
    #expect(takePassed(&relay) == Samples.requestIdentities)
    relay.receive(fromUpstream: Self.list)
    relay.answer(isAllowed: false)
    #expect(relay.toUpstream.isEmpty)
    #expect(takeReplies(&relay) == Samples.failure)
    #expect(takePassed(&relay) == last)
  }

  @Test func `binds a log-in to the host whose binding the agent accepted`() {
    let binding = Samples.binding()
    for hostKey in [nil, Samples.host] {
      let login = Samples.login(hostKey: hostKey)
      let bound = use(login, after: [(binding, Samples.success)])
      #expect(bound?.purpose == .login(user: Array("git".utf8), hostKey: Samples.host))
      #expect(bound?.isForwarded == false)
      for other in [use(login), use(login, after: [(binding, Samples.failure)])] {
        #expect(other?.purpose == .unboundLogin(user: Array("git".utf8)))
      }
    }
    // Another session, another host key in the data, or a later binding.
    let others = [
      use(Samples.login(session: [1]), after: [(binding, Samples.success)]),
      use(Samples.login(hostKey: Samples.gateway), after: [(binding, Samples.success)]),
      use(Samples.login(), after: [(binding, Samples.success), (Samples.binding(session: [2]), Samples.success)]),
    ]
    #expect(others.allSatisfy { $0?.purpose == .unboundLogin(user: Array("git".utf8)) })
  }

  @Test func `marks every request after a forwarding binding`() {
    let forwarding = Samples.binding(Samples.gateway, session: [7], isForwarding: true)
    let chain = [(forwarding, Samples.success), (Samples.binding(), Samples.success)]
    let login = use(Samples.login(), after: chain)
    #expect(login?.purpose == .login(user: Array("git".utf8), hostKey: Samples.host))
    #expect(login?.isForwarded == true && login?.forwarders == [Samples.gateway])
    #expect(use(Samples.signature(), after: chain)?.isForwarded == true)
    // The agent need not support bindings.
    let refused = use(Samples.signature(), after: [(forwarding, Samples.failure)])
    #expect(refused?.isForwarded == true && refused?.forwarders == [])
  }

  @Test func `names the purpose of the data, and only of whole data`() {
    #expect(use(Samples.signature("file"))?.purpose == .signature(namespace: Array("file".utf8)))
    let login = Samples.login()
    let forms = [
      [], Array("text".utf8), login + [0], Array(login.dropLast()), Samples.signature() + [0], Samples.signature(""),
      Samples.login(key: Samples.host), Samples.login(session: []),
    ]
    for data in forms { #expect(use(data, after: [(Samples.binding(), Samples.success)])?.purpose == .unknown) }
  }

  @Test func `ends a connection at an empty or long frame, or a reply that nobody waits for`() {
    let longest = UInt32(SSHAgentFrame.maximumBytes)
    for length in [0, longest + 1, .max] {
      var header: [UInt8] = []
      header.append(sshNumber: length)
      var (client, upstream) = (SSHAgentRelay(), SSHAgentRelay())
      client.receive(fromClient: header)
      upstream.receive(fromClient: Samples.requestIdentities)
      upstream.receive(fromUpstream: header)
      #expect(client.hasEnded && upstream.hasEnded)
    }
    var relay = SSHAgentRelay()
    exchange(&relay, SSHAgentFrame(17, Array(repeating: 1, count: Int(longest) - 1)).bytes, Samples.success)
    relay.receive(fromUpstream: Samples.success)
    #expect(relay.hasEnded)
  }
}
