import Router
import Testing

@testable import routerd

struct PreferTests {
  private func prefer(_ values: String...) throws -> Prefer {
    try Prefer(.get("/", headers: values.map { ("prefer", $0) }))
  }

  @Test func `without the header nothing is preferred`() throws {
    let prefer = try prefer()
    #expect(!prefer.isAsync && prefer.wait == nil)
  }

  @Test(arguments: ["respond-async", "Respond-Async", "wait=0", " respond-async ", "handling=lenient, respond-async"])
  func `these detach at once`(value: String) throws {
    let prefer = try prefer(value)
    #expect(prefer.isAsync && prefer.wait == nil)
  }

  @Test(arguments: ["wait=30", "WAIT = 30", "return=minimal,wait=30"])
  func `these wait for half a minute`(value: String) throws {
    let prefer = try prefer(value)
    #expect(!prefer.isAsync && prefer.wait == .seconds(30))
  }

  @Test(arguments: [["respond-async, wait=5"], ["respond-async", "wait=5"]])
  func `two preferences may share a field or not`(values: [String]) throws {
    let prefer = try Prefer(.get("/", headers: values.map { ("prefer", $0) }))
    #expect(prefer.isAsync && prefer.wait == .seconds(5))
  }

  @Test(arguments: ["wait", "wait=", "wait=soon", "wait=-1", "wait=1.5", "wait=315360001", "wait=99999999999999999999"])
  func `a wait that is no number of seconds is refused`(value: String) throws {
    let error = try #require(throws: RouterError.self) { try prefer(value) }
    #expect(error.code == .invalid)
    #expect(error.message.contains("Prefer"))
  }

  @Test func `what is not known is passed over`() throws {
    let prefer = try prefer("return=representation, x-colour=blue")
    #expect(!prefer.isAsync && prefer.wait == nil)
  }
}
