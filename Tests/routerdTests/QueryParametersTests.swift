import Router
import Testing

@testable import routerd

struct QueryParametersTests {
  private func query(_ text: String) throws -> QueryParameters { QueryParameters(try .get("/v1/log?" + text)) }

  private func refusal(_ body: () throws -> Void) throws -> String {
    let error = try #require(throws: RouterError.self) { try body() }
    #expect(error.code == .invalid)
    return error.message
  }

  @Test func `decodes a parameter`() throws {
    var query = try query("search=50%25%20off&app=a")
    #expect(try query.string("search") == "50% off")
    #expect(try query.string("app") == "a")
    #expect(try query.string("surface") == nil)
    try query.finish()
  }

  @Test func `rejects a repeated parameter by name`() throws {
    var query = try query("app=a&app=b")
    #expect(try refusal { _ = try query.string("app") }.contains("app"))
  }

  @Test func `rejects an unknown parameter by name`() throws {
    var query = try query("app=a&aap=b")
    _ = try query.string("app")
    #expect(try refusal { try query.finish() }.contains("aap"))
  }

  @Test func `shortens a long unknown name in the error`() throws {
    let query = try query(String(repeating: "x", count: 1000) + "=1")
    #expect(try refusal { try query.finish() }.count < 200)
  }

  @Test func `rejects an empty choice`() throws {
    for text in ["kind=", "kind=alert,", "kind=alert&kind="] {
      var query = try query(text)
      #expect(try refusal { let _: [PresentationKind] = try query.choices("kind") }.contains("kind must be one of"))
    }
  }

  @Test func `accepts a list separated by commas or in repeated parameters`() throws {
    var query = try query("app=a,b&app=c&uid=")
    #expect(query.list("app") == ["a", "b", "c"])
    #expect(query.list("uid") == [])
    #expect(query.list("sheet") == [])
  }

  @Test func `accepts the cases of an enumeration`() throws {
    var query = try query("kind=alert,sheet")
    let kinds: [PresentationKind] = try query.choices("kind")
    #expect(kinds == [.alert, .sheet])
    var wrong = try self.query("kind=popup")
    let message = try refusal { let _: [PresentationKind] = try wrong.choices("kind") }
    for kind in PresentationKind.allCases { #expect(message.contains(kind.rawValue)) }
  }

  @Test func `accepts known words only`() throws {
    var query = try query("reason=requester,queued")
    #expect(try query.words("reason", among: AuditQuery.knownReasons) == ["requester", "queued"])
    for text in ["reason=", "reason=requester,", "reason=because"] {
      var wrong = try self.query(text)
      let message = try refusal { _ = try wrong.words("reason", among: AuditQuery.knownReasons) }
      #expect(message.contains("reason must be one of requester, "), "\(text)")
    }
  }

  @Test(arguments: ["0", "1001", "-5", "ten", "1e2", "", "99999999999999999999"])
  func `rejects a count out of range`(text: String) throws {
    var query = try query("limit=" + text)
    let message = try refusal { _ = try query.count("limit", 1...1000) }
    #expect(message.contains("limit") && message.contains("1 to 1000"))
  }

  @Test func `parses a count`() throws {
    var query = try query("limit=1000")
    #expect(try query.count("limit", 1...1000) == 1000)
    #expect(try query.count("cursor", 0...9) == nil)
  }

  @Test func `parses RFC 3339 times only`() throws {
    var query = try query("since=2026-11-21T07:00:00Z&until=2026-11-21T09:00:00%2B01:00")
    let since = try #require(try query.time("since"))
    let until = try #require(try query.time("until"))
    #expect(until.duration(since: since) == .seconds(3600))
    var wrong = try self.query("since=yesterday")
    #expect(try refusal { _ = try wrong.time("since") }.contains("since"))
  }
}
