import RouterCore
import Testing

// Promise P65.
struct JSONNumberTests {
  @Test(arguments: [
    ("3", 3), ("3.0", 3), ("3e0", 3), ("-3.00E+0", -3), ("30e-1", 3), ("0.3e1", 3), ("-0", 0), ("0.000", 0),
    ("0e999999999999", 0),
    ("-0.0e-99999999999999999999", 0), ("1e18", 1_000_000_000_000_000_000), ("9223372036854775807", .max),
    ("9223372036854775807.0", .max), ("-9223372036854775808.000", .min), ("9223372036854775.807e3", .max),
    ("12000000000000000000000e-21", 12),
  ])
  func `reads whole numbers exactly`(literal: String, number: Int) {
    #expect(JSONValue.Number(literal: literal).integer == number)
  }

  @Test(arguments: [
    "10.0000000000000001", "9007199254740992.5", "0.1", "1e-1", "1e19", "1e400", "9223372036854775808", "-9223372036854775809",
    "1e99999999999999999999", "123e-400", "0.00000000000000000000000001",
  ])
  func `reads no integer from a fraction or an out-of-range number`(literal: String) {
    #expect(JSONValue.Number(literal: literal).integer == nil)
  }

  @Test func `a form rejects a fractional integer and a number too large for Double`() throws {
    let whole = FormSchema.Property(name: "n", kind: .integer)
    #expect(whole.problem(with: try JSONValue(parsing: "10.0000000000000001")) == "must be a whole number")
    #expect(whole.problem(with: try JSONValue(parsing: "1e1")) == nil)
    #expect(whole.value(typed: "10.0000000000000001") == nil)
    let number = FormSchema.Property(name: "n", kind: .number)
    for literal in ["1e400", "-1e400"] {
      #expect(number.problem(with: try JSONValue(parsing: literal)) == "is too large a number")
      #expect(number.read(typed: literal) == .problem("is too large a number"))
    }
    #expect(number.problem(with: try JSONValue(parsing: "1e308")) == nil)
  }
}
