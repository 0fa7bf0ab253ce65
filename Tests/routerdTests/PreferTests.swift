import Router
import Testing

@testable import routerd

struct PreferTests {
  private func prefer(_ values: String...) throws -> Prefer {
    try Prefer(.get("/", headers: values.map { ("prefer", $0) }))
  }

  @Test func `prefers nothing without the header`() throws {
    let prefer = try prefer()
    #expect(!prefer.isAsync && prefer.wait == nil)
  }

  @Test(arguments: ["respond-async", "Respond-Async", "wait=0", " respond-async ", "handling=lenient, respond-async"])
  func `parses preferences to respond at once`(value: String) throws {
    let prefer = try prefer(value)
    #expect(prefer.isAsync && prefer.wait == nil)
  }

  @Test(arguments: ["wait=30", "WAIT = 30", "return=minimal,wait=30"])
  func `parses a wait of 30 seconds`(value: String) throws {
    let prefer = try prefer(value)
    #expect(!prefer.isAsync && prefer.wait == .seconds(30))
  }

  @Test(arguments: [["respond-async, wait=5"], ["respond-async", "wait=5"]])
  func `combines preferences from one field or several`(values: [String]) throws {
    let prefer = try Prefer(.get("/", headers: values.map { ("prefer", $0) }))
    #expect(prefer.isAsync && prefer.wait == .seconds(5))
  }

  @Test(arguments: ["wait", "wait=", "wait=soon", "wait=-1", "wait=1.5", "wait=315360001", "wait=99999999999999999999"])
  func `rejects a wait that is not a whole number of seconds`(value: String) throws {
    let error = try #require(throws: RouterError.self) { try prefer(value) }
    #expect(error.code == .invalid)
    #expect(error.message.contains("Prefer"))
  }

  @Test func `ignores unknown preferences`() throws {
    let prefer = try prefer("return=representation, x-color=blue")
    #expect(!prefer.isAsync && prefer.wait == nil)
  }
}
