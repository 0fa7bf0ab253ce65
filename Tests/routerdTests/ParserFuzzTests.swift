import FoundationEssentials
import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerd

/// Fuzzing of the daemon's parsers: no input traps or hangs, and accepted input round-trips.
/// Promise P81.
@Suite(.timeLimit(.minutes(600)))
struct ParserFuzzTests {
  @Test func `configuration`() {
    let yaml = DaemonConfiguration(socket: "/s", database: "/d").yaml
    let samples = [
      yaml,
      "socket: /s.sock\nsocketMode: \"0660\"\ndurability: relaxed\nlogLevel: trace\nforbidSelfAnswer: user\n",
      "access:\n  request: [0, group:0]\n  audit: []\nlimits:\n  perUser: 7\nretentionDays: 30\nweb:\n  address: 127.0.0.1:8170\n",
      "backoff:\n  refusals: 3\n  seconds: 1.5\ncallbacks: { attempts: 3 }\n",
    ]
    Fuzzer.run("configuration", samples) { bytes, seed in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let configuration = try? Self.read(text) else { return false }
      let again = try? Self.read(configuration.yaml)
      #expect(again == configuration, "seed \(seed)")
      return true
    }
  }

  private static func read(_ yaml: String) throws -> DaemonConfiguration {
    let file = try ConfigurationFile(yaml: yaml)
    var configuration = DaemonConfiguration(socket: "/s", database: "/d")
    for setting in Setting.all {
      if let texts = file.values[setting.name] { try setting.read(texts, &configuration) }
    }
    return configuration
  }

  @Test func `queries, headers and cookies`() {
    let key = WebKey(bytes: Array(repeating: 7, count: WebKey.byteCount))
    let peer = Peer(process: ProcessIdentity(uid: 1000, gid: 100, pid: 42, executable: "/x"), supplementaryGroups: [27])
    let cookie = WebSession(peer: peer, browser: 1000, end: .max).cookie(signedWith: key)
    let samples = [
      "/v1/log?limit=2&since=2026-01-01T00:00:00Z&outcome=answered,failed&search=%22a%20b%22",
      "http://routerd/v1/log?uid=0&uid=1#x",
      "respond-async, wait=10; x=\"y\"", "[::1]:8170", "127.0.0.1:8170", cookie,
    ]
    Fuzzer.run("queries, headers and cookies", samples) { bytes, seed in
      let text = String(decoding: bytes, as: UTF8.self)
      if let address = try? WebAddress(text) { #expect((try? WebAddress(address.description)) == address, "seed \(seed)") }
      if let session = WebSession(cookie: text, signedWith: key, now: 0) { #expect(session.peer == peer, "seed \(seed)") }
      guard let request = try? Request.get(text, headers: [("prefer", text)]) else { return false }
      _ = try? Prefer(request)
      var query = QueryParameters(request)
      _ = try? (query.count("limit", 1...1000), query.time("since"), query.string("search"))
      _ = query.list("uid")
      let outcomes: [PresentationOutcome.Name]? = try? query.choices("outcome")
      return (try? query.finish()) != nil && outcomes != nil
    }
  }
}
