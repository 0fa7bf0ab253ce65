import Glibc
import TestSupport
import Testing

@testable import RouterCore

/// What the check of a form may cost, so that one form cannot stall everybody.
/// Promise P53.
@Suite(.timeLimit(.minutes(10)))
struct FormBudgetTests {
  /// Returns a form with fields of fractional choices.
  private func form(fields: Int, choices: Int) -> FormSchema {
    let values = (0..<choices).map { JSONValue.number(JSONValue.Number(literal: "\($0).5")) }
    return FormSchema(properties: (0..<fields).map { FormSchema.Property(name: "f\($0)", kind: .number, choices: values) })
  }

  private func steps(_ form: FormSchema) throws(JSONError) -> Int {
    var budget = FormBudget()
    try form.checkForm(at: "", within: &budget)
    return budget.spent
  }

  @Test(arguments: [
    ("1", "1.0"), ("1", "1e0"), ("100", "1E+2"), ("0", "-0.0"), ("0.5", "5e-1"), ("12.50", "125e-1"),
    ("0.1", "0.10000000000000000001"), ("9007199254740993", "9007199254740993.0"),
  ])
  func `numbers that are equal in other digits are one choice`(first: String, second: String) throws {
    let numbers = [first, second].map { JSONValue.Number(literal: $0) }
    #expect(numbers[0].identity == numbers[1].identity && numbers[0].identity.hashValue == numbers[1].identity.hashValue)
    let json = try JSONValue(
      parsing: #"{"type":"object","properties":{"f":{"type":"number","enum":[\#(first),7,\#(second)]}}}"#)
    let error = JSONError("must have 1 to 256 different values", at: "/properties/f/enum")
    #expect(throws: error) { try FormSchema(json: json) }
    let one = FormSchema(properties: [FormSchema.Property(name: "f", kind: .number, choices: [.number(numbers[0])])])
    try one.check(["f": .number(numbers[1])])
  }

  @Test func `numbers that differ by one are different choices, however large`() throws {
    let numbers = ["9007199254740992", "9007199254740993"].map { JSONValue.Number(literal: $0) }
    #expect(numbers[0].identity != numbers[1].identity && !numbers[0].isSame(as: numbers[1]))
    let field = FormSchema.Property(name: "f", kind: .integer, choices: numbers.map(JSONValue.number))
    _ = try steps(FormSchema(properties: [field]))
  }

  @Test func `checks choices in steps and time that grow with their number, not its square`() throws {
    #expect(try steps(form(fields: 40, choices: 200)) < 40 * 200 * 32)
    // As many choices in many fields as in one.
    let (many, one) = (form(fields: 64, choices: 4), form(fields: 1, choices: 256))
    func time(_ form: FormSchema) throws -> UInt64 {
      try (0..<7).map { _ in
        let start = clock_gettime_nsec(CLOCK_THREAD_CPUTIME_ID)
        for _ in 0..<5 { _ = try steps(form) }
        return clock_gettime_nsec(CLOCK_THREAD_CPUTIME_ID) - start
      }.min() ?? 0
    }
    // Every pair would be 85 times as many comparisons.
    #expect(try time(one) < 5 * time(many))
  }

  @Test func `one budget covers the choices, patterns and defaults of a request`() throws {
    // 992 states, matched with 256 characters.
    let field = { (number: Int) in
      FormSchema.Property(
        name: "f\(number)", kind: .string, defaultValue: .string(String(repeating: "a", count: 256)),
        pattern: "(a?){248}(a?){248}$")
    }
    let few = FormSchema(properties: (0..<3).map(field))
    _ = try PresentationRequest(kind: .sheet, sheet: "s", schema: few).normalized()
    let many = FormSchema(properties: (0..<64).map(field))
    let error = #expect(throws: JSONError.self) {
      try PresentationRequest(kind: .sheet, sheet: "s", schema: many).normalized()
    }
    #expect(error?.pointer == "/schema/properties/f3/default")
    #expect(error?.message.hasPrefix("is too much to check: ") == true)
    let choices = (0..<10_000).map { JSONValue.string("choice \($0)") }
    let lists = FormSchema(properties: (0..<64).map { FormSchema.Property(name: "f\($0)", kind: .array, choices: choices) })
    #expect(#expect(throws: JSONError.self) { try steps(lists) }?.pointer == "/properties/f3/items/enum")
  }

  @Test func `reads what was stored without checking it again`() throws {
    let refused = try JSONValue(
      parsing: #"{"kind":"sheet","sheet":"s","schema":{"type":"object","properties":{"f":{"type":"number","enum":[1,1.0]}}}}"#)
    #expect(throws: JSONError.self) { try PresentationRequest(json: refused) }
    let stored = try PresentationRequest(accepted: refused)
    #expect(stored.schema?.properties[0].choices?.count == 2)
    let asked = Asked(
      requester: Presentation.Requester(app: "a", process: ProcessIdentity(uid: 1, gid: 1, pid: 2)), request: stored,
      at: Timestamp(milliseconds: 0),
      number: 1, key: nil)
    let requested = Event.Requested(
      asked: asked, attached: false, place: PresentationPlace(lane: 0, rank: 0), level: 0, hasCallback: false)
    let event = Event(at: Timestamp(milliseconds: 0), presentation: PresentationID(number: 1), .requested(requested))
    #expect(try event.throughJSON() == event)
  }

  @Test func `refuses a property that is required twice`() throws {
    let json = try JSONValue(
      parsing: #"{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"]}"#)
    #expect(throws: JSONError("must name each property once", at: "/required/1")) { try FormSchema(json: json) }
  }
}

/// Returns a clock's time in nanoseconds.
private func clock_gettime_nsec(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
