import FoundationEssentials
import Router
import TestSupport
import Testing

@testable import RouterFrontEnds

/// Mutated frames for the relay of `routerctl ssh-agent`: it neither traps, nor passes a message that may use a key and that
/// nobody allowed.
/// Promise P96.
struct SSHAgentFuzzTests {
  private typealias Samples = SSHAgentSamples

  private static let requests = [
    Samples.requestIdentities, Samples.binding(), Samples.binding(Samples.gateway, session: [7], isForwarding: true),
    Samples.sign(Samples.login()), Samples.sign(Samples.login(hostKey: Samples.host)), Samples.sign(Samples.signature()),
    Samples.sign([]), SSHAgentFrame(17, Array("ssh-ed25519 private".utf8)).bytes, SSHAgentFrame(3, [1]).bytes,
    SSHAgentFrame(27, Samples.strings("query")).bytes, SSHAgentFrame(27, Samples.strings("ecdh@joyent.com", "key")).bytes,
  ]
  private static let replies = [
    Samples.success, Samples.failure, Samples.identities((Samples.key, "work@laptop"), (Samples.host, "")),
    SSHAgentFrame(14, [1, 2, 3]).bytes,
  ]

  @Test func `passes frames unchanged and asks before signing, for mutated frames`() throws {
    func number(_ variable: String) -> UInt64? { ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) } }
    let seed = number("ROUTER_SEED") ?? .random(in: 0...UInt64.max)
    let count = number("ROUTER_FUZZ") ?? 10_000
    print("ROUTER_SEED=\(seed) in ssh-agent frames")
    var (asked, ended) = (0, 0)
    for index in 0..<count {
      var conversation = Conversation(seed: seed &+ index)
      try conversation.run()
      asked += conversation.asked
      ended += conversation.relay.hasEnded ? 1 : 0
    }
    print("ssh-agent frames: \(count) conversations, \(asked) questions, \(ended) ended early")
    #expect(count < 1000 || asked > 0 && ended > 0)
  }

  @Test func `reads mutated known_hosts files and command lines`() {
    let key = SSHPublicKey(Samples.host)
    let samples = [
      "github.com,[h]:22 ssh-ed25519 \(key.base64) comment\n@revoked * ssh-ed25519 \(key.base64)\n",
      "|1|MDEyMzQ1Njc4OWFiY2RlZmdoaWo=|anUhMiNmCXr96buiAF9of6zM1wM= ssh-ed25519 \(key.base64)\n",
      "ssh\u{0}-p\u{0}22\u{0}-oPort=23\u{0}ssh://me@github.com:24/path\u{0}git@[::1]\u{0}",
    ]
    Fuzzer.run("known_hosts", samples) { bytes, _ in
      let candidates = SSHHostNames.candidates(bytes.split(separator: 0).map { Array($0) })
      return SSHKnownHosts(texts: [bytes]).host(key, candidates: candidates + ["github.com"]).name != nil
    }
  }

  /// A conversation of a client that sends mutated frames with an upstream agent that sends mutated replies.
  private struct Conversation {
    let seed: UInt64
    var random: SplitMix64
    var relay = SSHAgentRelay()
    var asked = 0
    /// The frames that the client has sent, and those that the relay has passed on.
    private var sent = SSHAgentFrames()
    private var passed = SSHAgentFrames()

    init(seed: UInt64) { (self.seed, random) = (seed, SplitMix64(seed: seed)) }

    mutating func run() throws {
      var input: [UInt8] = []
      for _ in 0...random.below(6) { input += mutated(random.pick(SSHAgentFuzzTests.requests)) }
      sent.append(input)
      while !input.isEmpty, !relay.hasEnded {
        let part = input.prefix(1 + random.below(200))
        input.removeFirst(part.count)
        relay.receive(fromClient: part)
        try settle()
      }
    }

    /// Replies and answers until the relay needs the client's next bytes.
    private mutating func settle() throws {
      while !relay.hasEnded {
        try check(isAllowed: false)
        relay.remove(toClient: random.below(relay.toClient.count + 1))
        if let use = relay.question {
          asked += 1
          let caller = SSHAgentClient.Caller(pid: 1, app: "ssh", program: "/usr/bin/ssh")
          let request = SSHAgentQuestion(use, by: caller, SSHKnownHosts(texts: [])).request(
            surface: "main", timeout: .seconds(60))
          _ = try ValidRequest(request)
          let isAllowed = random.chance(50)
          relay.answer(isAllowed: isAllowed)
          if isAllowed { try check(isAllowed: true) } else { _ = sent.nextToPass }
        } else if relay.isWaiting {
          relay.receive(fromUpstream: mutated(random.pick(SSHAgentFuzzTests.replies)))
        } else if relay.toClient.isEmpty {
          return
        }
      }
    }

    /// Checks the frames that the relay passes on.
    private mutating func check(isAllowed: Bool) throws {
      passed.append(relay.toUpstream)
      relay.remove(toUpstream: relay.toUpstream.count)
      while let frame = passed.next() {
        // The relay may list the keys before a question.
        if frame.bytes == Samples.requestIdentities, sent.isNextToSign { continue }
        let expected = sent.nextToPass
        try #require((frame.kind != 13 || isAllowed) && frame == expected, "seed \(seed)")
      }
    }

    private mutating func mutated(_ frame: [UInt8]) -> [UInt8] {
      var frame = frame
      guard random.chance(60) else { return frame }
      for _ in 0...random.below(3) {
        let place = random.below(frame.count)
        switch random.below(6) {
        case 0: frame[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: frame[place] ^= 1 << UInt8(random.below(8))
        case 2: frame.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 3 where frame.count > 1: frame.remove(at: place)
        case 4 where place + 4 <= frame.count:
          frame.replaceSubrange(
            place..<place + 4, with: random.pick([[255, 255, 255, 255], [0, 0, 0, 0], [127, 255, 255, 255]]))
        default: frame += frame.suffix(random.below(40))
        }
      }
      // Mostly with a fitting length, so that the mutation reaches the parsers of the body.
      guard random.chance(80), frame.count > 4 else { return frame }
      var whole: [UInt8] = []
      whole.append(sshString: frame[4...])
      return whole
    }
  }
}

extension SSHAgentFrames {
  /// Takes the next frame that the relay does not refuse by itself.
  fileprivate var nextToPass: SSHAgentFrame? {
    mutating get {
      while let frame = next() {
        let passes =
          switch frame.kind {
          case 13: SSHSignRequest(frame.body) != nil
          case 27: SSHAgentSamples.extensionsWithoutKey.contains { frame.body.starts(with: $0) }
          default: SSHAgentSamples.kindsWithoutKey.contains(frame.kind)
          }
        if passes { return frame }
      }
      return nil
    }
  }

  /// Whether the next frame that the relay does not refuse is a request to sign.
  fileprivate var isNextToSign: Bool {
    var copy = self
    return copy.nextToPass?.kind == 13
  }
}
