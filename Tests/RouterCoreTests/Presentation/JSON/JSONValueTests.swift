import RouterCore
import Testing

struct JSONValueTests {
  @Test func `objects are equal whatever the order of their members`() {
    let one: JSONValue = ["a": 1, "b": ["c": true, "d": .null]]
    let other: JSONValue = ["b": ["d": .null, "c": true], "a": 1]
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one.description != other.description)
  }

  @Test func `objects with other members, names or values differ, and arrays in another order do`() {
    let object: JSONValue = ["a": 1, "b": 2]
    for other: JSONValue in [["a": 1], ["a": 1, "b": 3], ["a": 1, "c": 2], ["a": 1, "b": 2, "c": 3], [1, 2], .null] {
      #expect(object != other)
    }
    #expect([1, 2] as JSONValue != [2, 1])
  }
}
