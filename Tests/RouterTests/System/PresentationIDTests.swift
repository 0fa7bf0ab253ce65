import FoundationEssentials
import Router
import Testing

struct PresentationIDTests {
  @Test func `ids increase within a millisecond, even past the counter's capacity`() {
    let generator = PresentationIDGenerator()
    let ids = (0..<10_000).map { _ in generator.next(at: Timestamp(milliseconds: 1_795_244_400_123)) }
    #expect(zip(ids, ids.dropFirst()).allSatisfy(<))
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.description < $1.description })
  }

  @Test func `ids increase when the clock is set back`() {
    let generator = PresentationIDGenerator()
    let times = [1_000, 2_000, 500, -7, 1_999, 2_000, 2_001, 0] as [Int64]
    let ids = times.map { generator.next(at: Timestamp(milliseconds: $0)) }
    #expect(zip(ids, ids.dropFirst()).allSatisfy(<))
  }

  @Test func `an id contains its time, version and variant`() {
    let generator = PresentationIDGenerator()
    for step in 0..<1_000 as Range<Int64> {
      let now = Timestamp(milliseconds: 1_795_244_400_123 + step)
      let bytes = withUnsafeBytes(of: generator.next(at: now).uuid.uuid) { Array($0) }
      #expect(bytes[..<6].reduce(0) { $0 << 8 | Int64($1) } == now.milliseconds)
      #expect(bytes[6] >> 4 == 7)
      #expect(bytes[8] >> 6 == 0b10)
    }
  }

  @Test func `ids are unique when many tasks generate them concurrently`() async {
    let generator = PresentationIDGenerator()
    let ids = await withTaskGroup(of: [PresentationID].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<1_000).map { _ in generator.next(at: Timestamp(milliseconds: 1)) } }
      }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(ids.count == 8_000)
  }

  @Test func `parses the hyphenated form only and prints it in lowercase`() throws {
    let text = "0193ABCD-0000-7000-8000-0123456789AB"
    #expect(PresentationID(text)?.description == text.lowercased())
    for wrong in ["", "0193abcd", text + "0", "{" + text.dropFirst(2) + "}", String(repeating: "-", count: 36)] {
      #expect(PresentationID(wrong) == nil)
    }
    let id = try #require(PresentationID(text))
    #expect(try JSONValue(encoding: id) == .string(text.lowercased()))
    #expect(try JSONValue(encoding: id).decode(PresentationID.self) == id)
    #expect(throws: DecodingError.self) { try JSONValue("x").decode(PresentationID.self) }
  }
}
