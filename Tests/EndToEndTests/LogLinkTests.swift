import Router
import RouterClient
import Testing

/// Pages of the log as NDJSON, and the links between them (RFC 8288).
@Suite(.timeLimit(.minutes(10)))
struct LogLinkTests {
  @Test(arguments: ["/v1/log", "/v1/log/events"])
  func `links an NDJSON page to the next`(path: String) async throws {
    try await TestDaemon.run { daemon in
      for number in 0..<5 {
        let asked = try await daemon.client.detach(.alert("\(number)"))
        _ = try await daemon.client.cancel(asked.id)
      }
      let all = try await daemon.call(.GET, "\(path)?limit=1000", headers: ["Accept": "application/x-ndjson"])
      #expect(all.headers.first(name: "Link") == nil)
      var lines: [Substring] = []
      var (next, pages): (String?, Int) = ("\(path)?cursor=9999&limit=2&until=2999-01-01T00:00:00Z", 0)
      while let page = next {
        let reply = try await daemon.call(.GET, page, headers: ["Accept": "application/x-ndjson"])
        #expect(reply.status == 200)
        lines += String(decoding: reply.body, as: UTF8.self).split(separator: "\n")
        pages += 1
        next = try reply.headers.first(name: "Link").map { link in
          let target = try #require(link.firstMatch(of: /^<([^>]*)>; rel="next"$/)).output.1
          #expect(target.hasPrefix("\(path)?limit=2&until=2999-01-01T00:00:00Z&cursor="))
          return String(target)
        }
      }
      #expect(lines == String(decoding: all.body, as: UTF8.self).split(separator: "\n"))
      #expect(lines.count >= 5 && pages == (lines.count + 1) / 2)
    }
  }
}
