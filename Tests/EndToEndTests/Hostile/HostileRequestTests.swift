import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// Hostile text in every place of a request that takes text.
/// Promise P73.
@Suite(.timeLimit(.minutes(10)))
struct HostileRequestTests {
  /// A body with a placeholder, and the field to be named in the refusal.
  struct Place: Sendable {
    let before: String
    let after: String
    /// `nil` if the text is part of the field's name.
    let field: String?
    /// Whether only letters, digits and a few signs are allowed.
    var isName = false
    /// Whether line breaks are allowed.
    var allowsNewline = false
    /// Whether any text is accepted, because it is data for a program and not shown to a person.
    var takesAnything = false

    init(
      _ template: String, _ field: String?, isName: Bool = false, allowsNewline: Bool = false, takesAnything: Bool = false
    ) {
      let parts = template.components(separatedBy: "@")
      (before, after) = (parts[0], parts[1])
      self.field = field
      self.isName = isName
      self.allowsNewline = allowsNewline
      self.takesAnything = takesAnything
    }

    static let schema = #"{"kind":"sheet","sheet":"s","schema":{"type":"object","#

    static let all = [
      Place(#"{"kind":"alert","title":@}"#, "/title"),
      Place(#"{"kind":"alert","title":"x","message":@}"#, "/message", allowsNewline: true),
      Place(#"{"kind":"alert","title":"x","buttons":[{"id":"a","label":@}]}"#, "/buttons/0/label"),
      Place(#"{"kind":"alert","title":"x","buttons":[{"id":@}]}"#, "/buttons/0/id", isName: true),
      Place(#"{"kind":"alert","title":"x","app":@}"#, "/app", isName: true),
      Place(#"{"kind":"alert","title":"x","surface":@}"#, "/surface", isName: true),
      Place(#"{"kind":"alert","title":"x","kind2":"x","priority":@}"#, "/priority", isName: true),
      Place(#"{"kind":@,"title":"x"}"#, "/kind", isName: true),
      Place(#"{"kind":"alert","title":"x","over":@}"#, "/over", isName: true),
      Place(#"{"kind":"alert","title":"x","onDismiss":{"url":@}}"#, "/onDismiss/url", isName: true),
      Place(#"{"kind":"alert","title":"x","metadata":{"k":@}}"#, "/metadata/k", allowsNewline: true),
      Place(#"{"kind":"alert","title":"x","metadata":{@:"v"}}"#, nil),
      Place(#"{"kind":"alert","title":"x",@:1}"#, nil, isName: true),
      Place(#"{"kind":"sheet","sheet":@}"#, "/sheet", isName: true),
      Place(schema + #""title":@,"properties":{}}}"#, "/schema/title"),
      Place(schema + #""description":@,"properties":{}}}"#, "/schema/description", allowsNewline: true),
      Place(schema + #""properties":{"a":{"type":"string","title":@}}}}"#, "/schema/properties/a/title"),
      Place(
        schema + #""properties":{"a":{"type":"string","description":@}}}}"#, "/schema/properties/a/description",
        allowsNewline: true),
      Place(schema + #""properties":{"a":{"type":"string","enum":[@]}}}}"#, "/schema/properties/a/enum/0"),
      Place(schema + #""properties":{"a":{"type":"array","items":{"enum":[@]}}}}}"#, "/schema/properties/a/items/enum/0"),
      Place(
        schema + #""properties":{"a":{"type":"array","items":{"anyOf":[{"const":"a","title":@}]}}}}}"#,
        "/schema/properties/a/items/anyOf/0/title"),
      Place(schema + #""properties":{"a":{"type":"string","default":@}}}}"#, "/schema/properties/a/default"),
      Place(schema + #""properties":{@:{"type":"string"}}}}"#, nil),
      Place(schema + #""properties":{"a":{"type":"string",@:1}}}}"#, nil, isName: true),
      Place(#"{"kind":"sheet","sheet":"s","payload":@}"#, nil, takesAnything: true),
      Place(#"{"kind":"sheet","sheet":"s","payload":{@:1}}"#, nil, takesAnything: true),
    ]
  }

  @Test func `refuses hostile text by its field, and shows none of it`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      var accepted = 0
      for place in Place.all {
        for hostile in HostileText.all {
          let body = place.before + hostile.json + place.after
          let reply = try await daemon.http.reply(
            to: HTTPCall(.POST, APIPath.presentations, headers: ["Prefer": "respond-async"], body: Array(body.utf8)))
          let comment: Comment = "\(hostile.testDescription), in \(place.before)"
          try checkIsInert(reply, comment)
          if reply.status == 202 {
            #expect(place.takesAnything || hostile.isHarmless, comment)
            #expect(!place.isName || hostile.isName, comment)
            accepted += 1
            let asked = try Presentation(json: reply.json)
            if !place.takesAnything { #expect(!dangerous("\(asked.request.json)"), comment) }
            // Nobody presents on a surface named by the text.
            guard asked.request.surface == "main" else {
              #expect(try await daemon.call(.DELETE, APIPath.presentation(asked.id)).status == 200, comment)
              continue
            }
            let shown = try await presenter.nextPresentation()
            #expect(shown.request == asked.request, comment)
            try await presenter.dismiss(shown)
          } else {
            #expect(reply.status == 400, comment)
            let problem = try reply.problem
            #expect(problem.detail.hasPrefix("cannot "), comment)
            if let field = place.field, place.before.contains("kind2") == false { #expect(problem.field == field, comment) }
            #expect(problem.field != nil, comment)
            #expect(!place.takesAnything, comment)
          }
        }
      }
      #expect(accepted > 100)
      #expect(try await daemon.open().isEmpty)
    }
  }

  @Test func `survives hostile text in a path, a query, a header or an answer`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let sheet = try await daemon.client.detach(PresentationRequest(kind: .sheet, sheet: "s"))
      _ = try await presenter.nextPresentation()
      for hostile in HostileText.all {
        let escaped = hostile.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for path in [
          "/v1/presentations/\(escaped)", "/v1/log/\(escaped)", "/\(escaped)", "/v1/presentations?surface=\(escaped)",
          "/v1/presentations?state=\(escaped)", "/v1/presentations?limit=\(escaped)", "/v1/presentations?\(escaped)=1",
          "/v1/log?search=\(escaped)", "/v1/log?since=\(escaped)", "/v1/log?kind=\(escaped)", "/v1/status?\(escaped)",
          "/v1/surfaces/\(escaped)/stream?name=\(String(repeating: escaped, count: 40))",
        ] {
          let reply = try await daemon.call(.GET, path)
          #expect([200, 400, 404].contains(reply.status), "\(hostile.testDescription), \(path)")
          try checkIsInert(reply, "\(hostile.testDescription), \(path)")
        }
        let verb = Array(#"{"detail":\#(hostile.json)}"#.utf8)
        let failed = try await daemon.http.reply(
          to: HTTPCall(
            .POST, APIPath.presentation(PresentationID("01a1fdb6-ea24-7114-b4fd-98d4271e7c7c")!) + "/fail", body: verb))
        #expect([400, 404].contains(failed.status))
        let answer = Array(#"{"button":\#(hostile.json)}"#.utf8)
        let answered = try await daemon.http.reply(
          to: HTTPCall(.POST, APIPath.presentation(sheet.id) + "/answer", body: answer))
        #expect(answered.status == 422, "\(hostile.testDescription)")
        try checkIsInert(answered, "\(hostile.testDescription), as a button")
      }
      #expect(try await daemon.open().map(\.id) == [sheet.id])
    }
  }

  /// Checks that a reply has no control character, and that its detail is safe to print.
  private func checkIsInert(_ reply: HTTPReply, _ comment: Comment) throws {
    #expect(!reply.body.contains { $0 < 0x20 || $0 == 0x7F }, comment)
    guard reply.status >= 400 else { return }
    #expect(!dangerous(try reply.problem.detail), comment)
    #expect(try reply.problem.detail.utf8.count < 1000, comment)
  }

  private func dangerous(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: HostileText.isDangerous)
  }
}
