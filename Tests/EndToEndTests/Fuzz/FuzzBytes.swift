import RouterTesting
import TestSupport

/// Generates bytes that are not a request, almost a request, or a request with a mistake in it.
struct FuzzBytes {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns the bytes of one connection, and whether they are a complete request, which must get a reply.
  mutating func next() -> (bytes: [UInt8], isWhole: Bool) {
    switch below(10) {
    case 0: ((0..<below(300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }, false)
    case 1: ((0..<below(40)).flatMap { _ in Array(pick(Self.tokens).utf8) }, false)
    case 2: (mutated(request() + request()), false)
    case 3: (request() + mutated(request()), false)
    case 4: (mutated(request()), false)
    default: (whole(), true)
    }
  }

  /// Returns a request with mutated parts and intact framing.
  private mutating func whole() -> [UInt8] {
    let method = pick(["GET", "POST", "POST", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "PROPFIND", "BREW"])
    let body = below(3) == 0 ? Array(pick(Self.bodies).utf8) : mutated(Array(pick(Self.bodies).utf8))
    func inLine(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != 0x0A && $0 != 0x0D } }
    var bytes = Array("\(method) ".utf8)
    bytes += inLine(below(3) == 0 ? mutated(Array(pick(Self.paths).utf8)) : Array(pick(Self.paths).utf8))
    bytes += Array(" HTTP/1.1\r\nHost: routerd\r\nPrefer: respond-async\r\nIdempotency-Key: ".utf8)
    bytes += inLine(below(3) == 0 ? mutated(Array("key".utf8)) : Array("key\(random.next())".utf8))
    bytes += Array("\r\nAccept: ".utf8) + inLine(below(3) == 0 ? mutated(Array("text/event-stream".utf8)) : Array("*/*".utf8))
    return bytes + Array("\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  private static let id = "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c"

  private static let tokens = [
    "GET ", "POST ", "DELETE ", "PRI * HTTP/2.0", "/v1/presentations", "/", " HTTP/1.1", " HTTP/1.0", " HTTP/0.9", "\r\n", "\n",
    "\r", "\r\n\r\n", "Host: x", "Content-Length: ", "Content-Length: -1", "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n", "fffffffffffffffff\r\n",
    "5;a=b\r\nhello\r\n",
    "Expect: 100-continue", "Upgrade: websocket", "Connection: upgrade", "Connection: close", "Prefer: respond-async",
    "Prefer: wait=1e9", "Idempotency-Key: ", ": ", ":", " ", "\t", "\u{0}", "%00", "%", "%zz", "../..", "?", "&&==", "#",
    "{\"kind\":\"alert\"", "}", "{", "[", "\"", "ü", "\u{1B}[2J", "HEAD ", "OPTIONS *", "CONNECT a:1", "TRACE /",
  ]

  private static let paths = [
    "/v1/presentations", "/v1/presentations", "/v1/presentations", "/v1/presentations",
    "/v1/presentations?limit=1&state=queued,presented", "/v1/presentations/\(id)",
    "/v1/presentations/\(id)/answer", "/v1/presentations/\(id)/dismiss", "/v1/presentations/\(id)/fail",
    "/v1/presentations/\(id)/finish", "/v1/surfaces", "/v1/surfaces/fuzz/stream?name=fuzz",
    "/v1/log?limit=2&since=2026-01-01T00:00:00Z",
    "/v1/log/\(id)", "/v1/status", "/healthz", "/openapi.json",
  ]

  private static let bodies = [
    #"{"kind":"alert","title":"fuzz","buttons":[{"id":"a","label":"A","role":"cancel"}],"timeout":1.5,"metadata":{"a":"b"}}"#,
    #"{"kind":"confirmationDialog","title":"fuzz","titleVisibility":"hidden","buttons":[{"id":"a"}],"priority":"high"}"#,
    #"{"kind":"sheet","sheet":"s","schema":{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]{1,9}$","maxLength":3},"b":{"type":"integer","minimum":1}},"required":["a"]}}"#,
    #"{"kind":"fullScreenCover","sheet":"s","payload":{"a":[1,2.5e3,null,true,"\u00e9"]},"conflictPolicy":"cancelNew","noPresenter":"fail"}"#,
    #"{"kind":"sheet","sheet":"s","sensitive":true,"flow":true,"over":"\#(id)"}"#,
    #"{"kind":"alert","title":"fuzz","onDismiss":{"url":"http+unix://%2Fnonexistent%2Fs/x"},"queueTimeout":1,"shownTimeout":1}"#,
    #"{"button":"a","generation":1}"#, #"{"value":{"a":"b"},"generation":1}"#, #"{"detail":"x"}"#, "{}", "",
  ]

  /// Returns a plausible request as a client would send it; detached, so that it gets a reply at once.
  private mutating func request() -> [UInt8] {
    let method = pick(["GET", "POST", "POST", "POST", "DELETE"])
    let body = method == "GET" ? "" : pick(Self.bodies)
    var head = "\(method) \(pick(Self.paths)) HTTP/1.1\r\nHost: routerd\r\nPrefer: respond-async\r\n"
    if below(4) == 0 { head += "Accept: \(pick(["text/event-stream", "application/x-ndjson", "*/*"]))\r\n" }
    if below(4) == 0 { head += "Idempotency-Key: \(pick(["a", "b", "ü", ""]))\r\n" }
    guard below(6) > 0 else {
      let size = String(body.utf8.count, radix: 16)
      return Array((head + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n").utf8)
    }
    return Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
  }

  /// Returns the bytes with a few mutations.
  private mutating func mutated(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0...below(4) {
      guard !bytes.isEmpty else { return bytes }
      let place = below(bytes.count)
      switch below(8) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] ^= 1 << UInt8(below(8))
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: Array(pick(Self.tokens).utf8), at: place)
      case 4: bytes.removeSubrange(place..<min(bytes.count, place + below(30)))
      case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(30))], at: place)
      case 6: bytes.removeLast(below(bytes.count))
      default: bytes.insert(contentsOf: [UInt8](repeating: bytes[place], count: below(3000)), at: place)
      }
    }
    return bytes
  }
}
