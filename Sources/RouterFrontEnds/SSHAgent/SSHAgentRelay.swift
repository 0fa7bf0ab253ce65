/// Decides which bytes pass between one client and the upstream agent, without I/O.
///
/// Requests that use no key pass unchanged. For a request to sign, the relay states the ``question``, and passes the frame only if
/// ``answer(isAllowed:)`` allows it. It refuses every other request. Requests are answered one after the other, in order.
struct SSHAgentRelay {
  private enum State {
    case idle
    /// The upstream agent's reply goes to the client.
    case passing(SSHSessionBinding?)
    /// The upstream agent lists its keys for the question about this frame.
    case listing(SSHSignRequest, SSHAgentFrame)
    case asking(SSHKeyUse, SSHAgentFrame)
    case ended
  }

  private var state = State.idle
  private var client = SSHAgentFrames()
  private var upstream = SSHAgentFrames()
  private var bindings = SSHSessionBindings()
  /// The comments of the keys in the upstream agent's last list.
  private var comments: [[UInt8]: [UInt8]] = [:]
  /// The bytes to send.
  private(set) var toClient: [UInt8] = []
  private(set) var toUpstream: [UInt8] = []

  /// The use of a key to ask about now.
  var question: SSHKeyUse? { if case .asking(let use, _) = state { use } else { nil } }

  /// Whether both connections must be closed: a side has broken the protocol.
  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Whether the upstream agent owes a reply.
  var isWaiting: Bool {
    switch state {
    case .passing, .listing: true
    case .idle, .asking, .ended: false
    }
  }

  /// Whether more bytes of the client fit.
  var acceptsBytes: Bool { !client.isFull }

  mutating func receive(fromClient bytes: some Collection<UInt8>) {
    client.append(bytes)
    advance()
  }

  mutating func receive(fromUpstream bytes: some Collection<UInt8>) {
    upstream.append(bytes)
    while !hasEnded, let frame = upstream.next() { receive(reply: frame) }
    if upstream.isMalformed { state = .ended }
    advance()
  }

  mutating func answer(isAllowed: Bool) {
    guard case .asking(_, let frame) = state else { return }
    if isAllowed { pass(frame) } else { refuse() }
    advance()
  }

  /// Removes bytes that were sent.
  mutating func remove(toClient count: Int) {
    toClient.removeFirst(count)
    advance()
  }

  mutating func remove(toUpstream count: Int) { toUpstream.removeFirst(count) }

  /// Takes the client's next frame once the previous one is answered and the client has read the answer.
  private mutating func advance() {
    while case .idle = state, toClient.isEmpty {
      guard let frame = client.next() else {
        if client.isMalformed { state = .ended }
        return
      }
      receive(request: frame)
    }
  }

  private mutating func receive(request frame: SSHAgentFrame) {
    switch frame.kind {
    case SSHAgentFrame.Kind.signRequest:
      guard let request = SSHSignRequest(frame.body) else { return refuse() }
      guard comments[request.key] == nil else { return ask(request, frame) }
      state = .listing(request, frame)
      toUpstream += SSHAgentFrame(SSHAgentFrame.Kind.requestIdentities).bytes
    default:
      guard frame.usesNoKey else { return refuse() }
      let binding = SSHSessionBinding(frame)
      if let binding { bindings.note(attempt: binding) }
      pass(frame, binding)
    }
  }

  private mutating func receive(reply frame: SSHAgentFrame) {
    if frame.kind == SSHAgentFrame.Kind.identities { comments = Self.comments(frame.body) }
    switch state {
    case .passing(let binding):
      if let binding, frame.kind == SSHAgentFrame.Kind.success { bindings.append(binding) }
      reply(frame)
    case .listing(let request, let frame): ask(request, frame)
    // A reply that nobody waits for.
    case .idle, .asking, .ended: state = .ended
    }
  }

  private mutating func ask(_ request: SSHSignRequest, _ frame: SSHAgentFrame) {
    state = .asking(SSHKeyUse(request, comment: comments[request.key], bindings), frame)
  }

  private mutating func pass(_ frame: SSHAgentFrame, _ binding: SSHSessionBinding? = nil) {
    toUpstream += frame.bytes
    state = .passing(binding)
  }

  private mutating func refuse() { reply(SSHAgentFrame(SSHAgentFrame.Kind.failure)) }

  private mutating func reply(_ frame: SSHAgentFrame) {
    toClient += frame.bytes
    state = .idle
  }

  /// Parses a list of keys; a malformed list has the keys before the fault.
  static func comments(_ body: ArraySlice<UInt8>) -> [[UInt8]: [UInt8]] {
    var (reader, comments) = (SSHReader(body), [[UInt8]: [UInt8]]())
    guard let count = reader.number() else { return [:] }
    var left = count
    while left > 0, let key = reader.string(), let comment = reader.string() {
      comments[key] = comment
      left -= 1
    }
    return comments
  }
}
