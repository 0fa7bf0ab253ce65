import RouterCore
import Testing

@Suite struct CallbackAddressTests {
  @Test func `an address names a socket and a path`() throws {
    let address = try PresentationRequest.CallbackAddress(
      "http+unix://%2Frun%2Fuser%2F1000%2Fdeploy.sock/dismissed?x=1", at: "")
    #expect(address.socketPath == "/run/user/1000/deploy.sock")
    #expect(address.target == "/dismissed?x=1")
    #expect(try PresentationRequest.CallbackAddress("HTTP+UNIX://%2fa%20b", at: "").socketPath == "/a b")
    #expect(try PresentationRequest.CallbackAddress("http+unix://%2Fa", at: "").target == "/")
  }

  @Test(
    arguments: [
      "", "http://example.com/", "http+unix://", "http+unix:///run/a.sock", "http+unix://run%2Fa.sock/", "http+unix://%2Fa%0/",
      "http+unix://%2Fa%G0/", "http+unix://%2Fa%00b/", "http+unix://%2Fa/b#c", "http+unix://%2Fa?b", "http+unix://%2Fa/b c",
      "http+unix://%2Fa/\r\nX: y", "http+unix://%2Fa/é", "http+unix://%2F%FF/",
      "http+unix://%2F" + String(repeating: "a", count: 107),
      "http+unix://%2Fa/" + String(repeating: "b", count: 2048),
    ])
  func `rejects an invalid address and names the field`(text: String) throws {
    let error = try #require(throws: JSONError.self) {
      try PresentationRequest(json: ["kind": "alert", "title": "?", "onDismiss": ["url": .string(text)]])
    }
    #expect(error.pointer == "/onDismiss/url")
  }

  @Test func `a request preserves its address and rejects other members beside the url`() throws {
    let json: JSONValue = ["kind": "alert", "title": "?", "onDismiss": ["url": "http+unix://%2Fa/b"]]
    let request = try PresentationRequest(json: json)
    #expect(request.onDismiss?.socketPath == "/a")
    #expect(try PresentationRequest(json: request.json) == request)
    #expect(throws: JSONError.self) {
      try PresentationRequest(json: ["kind": "alert", "title": "?", "onDismiss": ["url": "http+unix://%2Fa/b", "token": "x"]])
    }
  }
}
