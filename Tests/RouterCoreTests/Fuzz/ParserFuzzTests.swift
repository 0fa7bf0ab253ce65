import TestSupport
import Testing

@testable import RouterCore

/// Fuzzing of the library's parsers: no input traps or hangs, and accepted input round-trips.
/// Promise P81.
@Suite(.timeLimit(.minutes(600)))
struct ParserFuzzTests {
  private static let requests = [
    #"{"kind":"alert","title":"fuzz","buttons":[{"id":"a","label":"A","role":"cancel"}],"timeout":1.5,"metadata":{"a":"b"}}"#,
    #"{"kind":"confirmationDialog","title":"fuzz","titleVisibility":"hidden","buttons":[{"id":"a"}],"priority":"high"}"#,
    #"{"kind":"sheet","sheet":"s","schema":{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]{1,9}$","maxLength":3},"b":{"type":"integer","minimum":1,"default":2},"c":{"type":"string","enum":["x","y"]},"d":{"type":["number","null"],"maximum":1e3}},"required":["a"]}}"#,
    #"{"kind":"fullScreenCover","sheet":"s","payload":{"a":[1,2.5e3,null,true,"\u00e9\ud83d\ude00"]},"conflictPolicy":"cancelNew"}"#,
    #"{"kind":"sheet","sheet":"s","sensitive":true,"flow":true,"over":"01a1fdb6-ea24-7114-b4fd-98d4271e7c7c","queueTimeout":1}"#,
    #"{"kind":"alert","title":"fuzz","onDismiss":{"url":"http+unix://%2Frun%2Fs/x"},"shownTimeout":9007199254740993}"#,
  ]

  @Test func `JSON`() {
    let samples = Self.requests + [#"[-0.0,1e-7,12345678901234567890,"\"\\\/\b\f\n\r\t",{"":{}}]"#, "\"\u{FEFF}é\"", " [ ] "]
    Fuzzer.run("JSON", samples) { bytes, seed in
      guard let value = try? JSONValue(parsing: bytes) else { return false }
      #expect((try? JSONValue(parsing: value.bytes)) == value, "seed \(seed)")
      return true
    }
  }

  @Test func `server-sent events`() {
    let samples = [
      ": keep-alive\n\nid: 7\nevent: queued\ndata: {\"position\":1}\n\nevent:resolved\r\ndata: {\"a\":\r\ndata: \"ü🦉\"}\r\n\r\n",
      "data: []\n\ndata\ndata: 1\n\nretry: 5\nid\n\n\rdata: {\"a\":1}\r\r",
    ]
    Fuzzer.run("server-sent events", samples) { bytes, seed in
      var (whole, split) = (ServerSentEventParser(), ServerSentEventParser())
      let cut = Int(seed % UInt64(bytes.count + 1))
      let events = try? whole.feed(bytes)
      let same = try? split.feed(bytes[..<cut]) + split.feed(bytes[cut...])
      #expect(events == same, "seed \(seed)")
      for event in events ?? [] where event.name != "" {
        var parser = ServerSentEventParser()
        #expect((try? parser.feed(event.bytes))?.first?.data == event.data, "seed \(seed)")
      }
      return events?.isEmpty == false
    }
  }

  @Test func `patterns`() {
    let samples = [
      "^[A-Za-z0-9._-]{1,64}$", "^(a|b)*?c+d{2,}$", "\\d{3}-\\w+\\s?", "[^\\]\\-a-z]", "(?:x|(y|))+",
      "^\\u00e9\\ud83d\\ude00.$", "a{0,9}b?", "(.{0,1}){490}c", "((((a*)*)*)*)*b",
    ]
    Fuzzer.run("patterns", samples) { bytes, seed in
      guard let pattern = try? FormPattern(String(decoding: bytes, as: UTF8.self)) else { return false }
      let text = String(decoding: bytes.reversed().prefix(40), as: UTF8.self) + "aaaaaaaaab 555-1234"
      let matches = pattern.matches(text)
      #expect((try? FormPattern(pattern.source))?.matches(text) == matches, "seed \(seed)")
      return true
    }
  }

  @Test func `requests, forms and typed input`() {
    Fuzzer.run("requests and forms", Self.requests) { bytes, seed in
      guard let json = try? JSONValue(parsing: bytes), let request = try? PresentationRequest(json: json) else { return false }
      let text = JSONText(request).bytes
      let again = (try? JSONValue(parsing: text)).flatMap { try? PresentationRequest(json: $0) }
      #expect(again == request, "seed \(seed)")
      for property in request.schema?.properties ?? [] {
        for typed in ["", "abc", "1", "-9223372036854775809", "1e999", "true", "2026-02-30"] { _ = property.read(typed: typed) }
      }
      _ = try? request.schema?.check(json)
      return true
    }
  }

  @Test func `times, ids and heads`() {
    let samples = [
      "2026-11-21T08:00:00.000Z", "2024-02-29T23:59:60+14:00", "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c",
      "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff@42",
      "http+unix://%2Frun%2Fuser%2F1000%2Fs/hook?a=b",
    ]
    Fuzzer.run("times, ids and heads", samples) { bytes, seed in
      let text = String(decoding: bytes, as: UTF8.self)
      let (time, id, head) = (Timestamp(text), PresentationID(text), AuditHead(text))
      if let time { #expect(Timestamp(time.description) == time, "seed \(seed)") }
      if let id { #expect(PresentationID(id.description) == id, "seed \(seed)") }
      let address = try? PresentationRequest.CallbackAddress(text)
      return time != nil || id != nil || head != nil || address != nil
    }
  }
}
