import FoundationEssentials
import RouterCore
import Testing

/// Round trips of generated values. A failure names its seed.
struct RoundTripTests {
  private enum Choice: Codable, Hashable, Sendable {
    case delete
    case archive(Int)
    case rename(to: String?)
  }

  private enum AnySheet: Sheet {
    case settings
    case contact(String)
    case pick(from: [Int], note: String?)
  }

  private struct Letter: Sheet {
    typealias Answer = JSONValue
    var to: [String]
    var body: String
    var schema: FormSchema?
    var form: Form<JSONValue>? { schema.map(Form.init) }
  }

  private static let seeds: Range<UInt64> = 0..<400

  /// Round-trips a generated value for each seed, through Router's JSON and through a property list.
  private func check<Value: Codable & Equatable>(_ make: (inout ValueGenerator) throws -> Value) rethrows {
    for seed in Self.seeds {
      var generator = ValueGenerator(seed: seed)
      let value = try make(&generator)
      #expect(throws: Never.self, "seed \(seed)") {
        #expect(try JSONValue(encoding: value).decode(Value.self) == value, "seed \(seed)")
        let data = try PropertyListEncoder().encode([value])
        #expect(try PropertyListDecoder().decode([Value].self, from: data) == [value], "seed \(seed)")
      }
    }
  }

  private static func choice(_ generator: inout ValueGenerator) -> Choice {
    switch generator.below(3) {
    case 0: .delete
    case 1: .archive(generator.below(100))
    default: .rename(to: generator.maybe { $0.text() })
    }
  }

  @Test func `round-trips buttons`() {
    check { $0.button(Self.choice) }
    check { $0.button { $0.text() } }
  }

  @Test func `round-trips alerts`() {
    check { $0.alert(Self.choice) }
  }

  @Test func `round-trips confirmation dialogs`() {
    check { $0.dialog(Self.choice) }
  }

  @Test func `distinguishes a nil action from no action`() throws {
    let buttons = [ButtonState<Int?>("A", action: .some(nil)), ButtonState("A", action: .some(1)), ButtonState("A")]
    #expect(try JSONValue(encoding: buttons).decode([ButtonState<Int?>].self) == buttons)
  }

  @Test func `round-trips sheets`() {
    check { generator -> AnySheet in
      switch generator.below(3) {
      case 0: .settings
      case 1: .contact(generator.text())
      default: .pick(from: generator.some(upTo: 3) { $0.below(9) }, note: generator.maybe { $0.text() })
      }
    }
    check { generator in
      Letter(
        to: generator.some(upTo: 3) { $0.text() }, body: generator.text(), schema: generator.maybe { $0.form() })
    }
  }

  @Test func `reads a sheet back from its request`() throws {
    for seed in Self.seeds {
      var generator = ValueGenerator(seed: seed)
      let sheet = Letter(to: [generator.text()], body: generator.text(), schema: nil)
      let request = try PresentationRequest(sheet)
      #expect(try PresentationRequest(json: request.json).payload?.decode(Letter.self) == sheet, "seed \(seed)")
    }
  }

  @Test func `round-trips forms`() throws {
    check { $0.form() }
    for seed in Self.seeds {
      var generator = ValueGenerator(seed: seed)
      let form = generator.form()
      #expect(try FormSchema(json: JSONValue(parsing: form.json.bytes)) == form, "seed \(seed)")
    }
  }

  @Test func `round-trips requests`() {
    check { $0.request() }
  }

  @Test func `round-trips presentations`() {
    check { $0.presentation() }
  }

  @Test func `the text written directly equals the encoded JSON value`() {
    for seed in Self.seeds {
      var generator = ValueGenerator(seed: seed)
      var presentation = generator.presentation()
      #expect(presentation.jsonText == JSONText(presentation.json), "seed \(seed)")
      #expect(presentation.requestText == JSONText(presentation.request.json), "seed \(seed)")
      // Copies share the request's text, not the fields that change.
      presentation.position += 1
      presentation.outcome = generator.outcome()
      #expect(presentation.jsonText == JSONText(presentation.json), "seed \(seed)")
    }
  }

  @Test func `round-trips outcomes`() {
    check { $0.outcome() }
  }

  @Test func `preserves JSON in Router's encoding and normalizes it in another encoder's`() throws {
    for seed in Self.seeds {
      var generator = ValueGenerator(seed: seed)
      let json = generator.json()
      #expect(try JSONValue(encoding: json) == json, "seed \(seed)")
      #expect(try json.decode(JSONValue.self) == json, "seed \(seed)")
    }
    let json = try JSONValue(parsing: #"{"b":[1.50,null,true],"a":{"text":"x","number":12345678901234567890}}"#)
    let plain = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(json))
    #expect(plain == (try JSONValue(parsing: #"{"a":{"number":1.2345678901234567e+19,"text":"x"},"b":[1.5,null,true]}"#)))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(JSONValue.number(JSONValue.Number(literal: "1e400"))) }
  }

  @Test func `equal values have equal hashes`() {
    for seed in Self.seeds {
      var (one, other) = (ValueGenerator(seed: seed), ValueGenerator(seed: seed))
      let alerts = (one.alert(Self.choice), other.alert(Self.choice))
      #expect(alerts.0 == alerts.1 && alerts.0.hashValue == alerts.1.hashValue, "seed \(seed)")
      let dialogs = (one.dialog(Self.choice), other.dialog(Self.choice))
      #expect(dialogs.0 == dialogs.1 && dialogs.0.hashValue == dialogs.1.hashValue, "seed \(seed)")
      #expect(one.form() == other.form(), "seed \(seed)")
    }
  }
}
