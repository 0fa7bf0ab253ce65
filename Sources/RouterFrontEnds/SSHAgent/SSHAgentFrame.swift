/// A message of the agent protocol (draft-ietf-sshm-ssh-agent) with its length, as on the socket.
struct SSHAgentFrame: Hashable {
  /// The types of messages that the relay looks at.
  enum Kind {
    static let failure: UInt8 = 5
    static let success: UInt8 = 6
    static let requestIdentities: UInt8 = 11
    static let identities: UInt8 = 12
    static let signRequest: UInt8 = 13
    static let extended: UInt8 = 27
  }

  /// The types of requests that list, add and remove keys, and lock and unlock the agent.
  private static let kindsWithoutKey: Set<UInt8> = [Kind.requestIdentities, 17, 18, 19, 20, 21, 22, 23, 25, 26]
  private static let extensionsWithoutKey = ["session-bind@openssh.com", "query"].map { Array($0.utf8) }

  /// The maximum length of a message, as in OpenSSH.
  static let maximumBytes = 256 * 1024

  /// The length, the type and the body.
  let bytes: [UInt8]

  /// - Parameter bytes: A length of at least 1, and as many bytes.
  fileprivate init(whole bytes: [UInt8]) { self.bytes = bytes }

  init(_ kind: UInt8, _ body: [UInt8] = []) {
    var bytes: [UInt8] = []
    bytes.append(sshString: [kind] + body)
    self.bytes = bytes
  }

  var kind: UInt8 { bytes[4] }
  var body: ArraySlice<UInt8> { bytes[5...] }

  /// Whether this is a request that uses no key. `false` for a type or an extension that Router does not know.
  var usesNoKey: Bool {
    guard kind == Kind.extended else { return Self.kindsWithoutKey.contains(kind) }
    var reader = SSHReader(body)
    return reader.string().map(Self.extensionsWithoutKey.contains) ?? false
  }
}

/// Splits a stream of bytes into frames.
struct SSHAgentFrames {
  private var buffer: [UInt8] = []
  private var start = 0

  /// Whether the next frame is empty or too long. No frames follow.
  private(set) var isMalformed = false

  /// Whether the buffer has the bytes of the longest frame.
  var isFull: Bool { buffer.count - start >= SSHAgentFrame.maximumBytes + 4 }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// Returns the next whole frame.
  mutating func next() -> SSHAgentFrame? {
    var reader = SSHReader(buffer[start...])
    guard !isMalformed, let length = reader.number() else { return nil }
    guard (1...SSHAgentFrame.maximumBytes).contains(Int(length)) else {
      isMalformed = true
      return nil
    }
    let end = start + 4 + Int(length)
    guard end <= buffer.count else { return nil }
    defer { start = end }
    return SSHAgentFrame(whole: Array(buffer[start..<end]))
  }
}
