import Testing

@testable import RouterCore

/// Forms made from an answer and key paths to its members.
struct FormTests {
  enum Size: String, Codable, CaseIterable { case small, large }

  struct Address: Codable, Hashable {
    var street = ""
  }

  struct Order: Codable, Hashable {
    enum CodingKeys: String, CodingKey {
      case name, note, count, limit, weight, discount, size, spare, sizes, toppings, pin, address, id
      case isGift = "gift"
      case isUrgent = "urgent"
      case country = "land"
    }

    var name = ""
    var note: String?
    var count: UInt8 = 0
    var limit: Int?
    var weight = 0.0
    var discount: Float?
    var isGift = false
    var isUrgent: Bool?
    var size = Size.small
    var spare: Size?
    var sizes: [Size] = []
    var country = ""
    var toppings: [String] = []
    var pin = ""
    var address = Address()
    var id = 7
  }

  /// A text that sets two members, and one that sets none.
  struct Person: Codable, Hashable {
    var first = ""
    var last = ""

    var name: String {
      get { first + last }
      set { (first, last) = (newValue, newValue) }
    }

    var nothing: String {
      get { "" }
      set {}
    }
  }

  struct Editor<Answer: Codable & Sendable>: Sheet {
    static var sheetName: String { "Editor" }
    var form: Form<Answer>?

    init(_ form: Form<Answer>) { self.form = form }
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws { try "".encode(to: encoder) }
    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private func properties(_ form: Form<some Codable & Sendable>) throws -> [FormSchema.Property] {
    try #require(try PresentationRequest(Editor(form)).schema).properties
  }

  private func answer<Answer: Codable & Sendable>(_ form: Form<Answer>, _ value: JSONValue) throws -> Answer {
    try PresentationRequest.Typed(Editor(form)).answer(from: .answered(.value(value)))
  }

  private let everything = Form(Order()) {
    TextField("Name", \.name, message: "In full.", length: 1...40, pattern: "[A-Z]")
    TextField("Note", \.note, format: .email)
    NumberField("Count", \.count, in: 1...99)
    NumberField("Limit", \.limit, isRequired: true, in: 1 ... .max)
    NumberField("Weight", \.weight, in: 0 ... .infinity)
    NumberField("Discount", \.discount)
    Toggle("Gift", \.isGift)
    Toggle("Urgent", \.isUrgent)
    Picker("Size", \.size)
    Picker("Spare", \.spare)
    Picker("Sizes", \.sizes, count: 1...2)
    Picker("Country", \.country, choices: ["FR", "NO"])
    Picker("Toppings", \.toppings, choices: ["ham", "olives"])
    SecureField("PIN", \.pin, length: 4...8)
  }

  @Test func `makes each field from the type and the coding key of its member`() throws {
    let sizes: [JSONValue] = ["small", "large"]
    typealias Property = FormSchema.Property
    let expected = [
      Property(
        name: "name", kind: .string, title: "Name", description: "In full.", isRequired: true, minimumLength: 1,
        maximumLength: 40, pattern: "[A-Z]"),
      Property(name: "note", kind: .string, title: "Note", format: .email),
      Property(
        name: "count", kind: .integer, title: "Count", isRequired: true, minimum: JSONValue.Number(1),
        maximum: JSONValue.Number(99)),
      Property(name: "limit", kind: .integer, title: "Limit", isRequired: true, minimum: JSONValue.Number(1)),
      Property(
        name: "weight", kind: .number, title: "Weight", isRequired: true, defaultValue: 0, minimum: JSONValue.Number(0)),
      Property(name: "discount", kind: .number, title: "Discount"),
      Property(name: "gift", kind: .boolean, title: "Gift", isRequired: true, defaultValue: false),
      Property(name: "urgent", kind: .boolean, title: "Urgent"),
      Property(name: "size", kind: .string, title: "Size", isRequired: true, defaultValue: "small", choices: sizes),
      Property(name: "spare", kind: .string, title: "Spare", choices: sizes),
      Property(
        name: "sizes", kind: .array, title: "Sizes", isRequired: true, choices: sizes, minimumCount: 1, maximumCount: 2),
      Property(name: "land", kind: .string, title: "Country", isRequired: true, choices: ["FR", "NO"]),
      Property(name: "toppings", kind: .array, title: "Toppings", isRequired: true, choices: ["ham", "olives"]),
      Property(
        name: "pin", kind: .string, title: "PIN", isRequired: true, minimumLength: 4, maximumLength: 8, format: .password),
    ]
    let properties = try properties(everything)
    for (property, expected) in zip(properties, expected) { #expect(property == expected) }
    #expect(properties.count == expected.count)
  }

  @Test func `builds fields with conditions and loops, and finds keys of a dictionary`() throws {
    func form(isLong: Bool) -> Form<[String: Int]> {
      Form(["swift": 2]) {
        for name in ["swift", "unix"] { NumberField(name, \.[name], isRequired: true, in: 0...9) }
        if isLong { NumberField("Long", \.["long"]) } else { NumberField("Short", \.["short"]) }
        if isLong { NumberField("More", \.["more"]) }
      }
    }
    #expect(try properties(form(isLong: true)).map(\.name) == ["swift", "unix", "long", "more"])
    #expect(try properties(form(isLong: false)).map(\.name) == ["swift", "unix", "short"])
    #expect(try properties(form(isLong: false)).map(\.defaultValue) == [2, nil, nil])
    #expect(try answer(form(isLong: true), ["swift": 0, "unix": 1]) == ["swift": 0, "unix": 1])
  }

  @Test func `takes the defaults from the answer`() throws {
    var order = Order(name: "Ada", note: "a@b.example", count: 3, limit: 5, weight: 0.5, isGift: true, size: .large)
    order.sizes = [.large]
    order.toppings = ["ham"]
    let form = Form(order) {
      TextField("Name", \.name)
      TextField("Note", \.note)
      NumberField("Count", \.count)
      NumberField("Limit", \.limit)
      NumberField("Weight", \.weight)
      Toggle("Gift", \.isGift)
      Picker("Size", \.size)
      Picker("Sizes", \.sizes)
      Picker("Toppings", \.toppings, choices: ["ham"])
    }
    let defaults: [JSONValue?] = try [
      "Ada", "a@b.example", 3, 5, .number(#require(JSONValue.Number(0.5))), true, "large", ["large"], ["ham"],
    ]
    #expect(try properties(form).map(\.defaultValue) == defaults)
  }

  @Test func `has no default for a secret, a value that the field refuses, or without prefilling`() throws {
    let order = Order(name: "Ada", count: 100, isGift: true, country: "SE", toppings: ["tin"], pin: "1234")
    let form = Form(order) {
      TextField("Name", \.name, length: 5...9)
      NumberField("Count", \.count, in: 1...99)
      NumberField("Weight", \.weight, isPrefilled: false)
      Toggle("Gift", \.isGift, isPrefilled: false)
      Picker("Size", \.size, isPrefilled: false)
      Picker("Country", \.country, choices: ["FR", "NO"])
      Picker("Toppings", \.toppings, choices: ["ham", "olives"])
      SecureField("PIN", \.pin)
    }
    #expect(try properties(form).allSatisfy { $0.defaultValue == nil })
  }

  @Test func `fills in the answer and keeps the members without a field`() throws {
    let start = Order(note: "old", address: Address(street: "Hill Road"), id: 9)
    let form = Form(start) {
      TextField("Name", \.name)
      NumberField("Count", \.count)
      NumberField("Weight", \.weight)
      Toggle("Gift", \.isGift)
      Picker("Size", \.size)
      Picker("Spare", \.spare)
      Picker("Sizes", \.sizes)
    }
    let order = try answer(
      form,
      ["name": "Ada", "count": 3, "weight": 2, "gift": true, "size": "large", "spare": "small", "sizes": ["large"], "id": 1])
    var expected = start
    (expected.name, expected.count, expected.weight, expected.isGift) = ("Ada", 3, 2, true)
    (expected.size, expected.spare, expected.sizes) = (.large, .small, [.large])
    #expect(order == expected)
  }

  @Test func `reads a field that was left empty as nil, an empty text or the member's value`() throws {
    var start = Order(name: "Ada", note: "old", limit: 3, isUrgent: true, spare: .large)
    start.size = .large
    let form = Form(start) {
      TextField("Name", \.name, isRequired: false)
      TextField("Note", \.note)
      NumberField("Limit", \.limit)
      NumberField("Count", \.count, isRequired: false)
      Toggle("Urgent", \.isUrgent)
      Picker("Spare", \.spare)
    }
    let order = try answer(form, [:])
    #expect(order.name.isEmpty && order.note == nil && order.limit == nil && order.isUrgent == nil && order.spare == nil)
    #expect(order.count == start.count && order.size == .large)
  }

  @Test func `finds the member of a picker with one choice`() throws {
    enum Only: String, Codable, CaseIterable { case one }
    struct Answer: Codable {
      var only: Only?
      var text = ""
    }
    let form = Form(Answer()) {
      Picker("Only", \.only)
      Picker("Text", \.text, choices: ["a"])
    }
    #expect(try properties(form).map(\.name) == ["only", "text"])
  }

  @Test func `refuses a field that does not set exactly one whole member, and two for one member`() throws {
    func message(_ form: Form<some Codable & Sendable>) -> String? {
      let error = #expect(throws: RouterError.self) { try PresentationRequest(Editor(form)) }
      #expect(error?.code == .invalid)
      return error?.message
    }
    #expect(
      message(Form(Order()) { TextField("Street", \.address.street) })
        == "cannot show the sheet Editor: its field \"Street\" sets a part of the member \"address\" of Order; a field must set "
        + "a whole member")
    #expect(
      message(
        Form(Order()) {
          TextField("Name", \.name)
          TextField("Full name", \.name)
        }) == "cannot show the sheet Editor: its field \"Full name\" sets the member \"name\" of Order, as another field does")
    #expect(
      message(Form(Person()) { TextField("Name", \.name) })
        == "cannot show the sheet Editor: its field \"Name\" sets several members of Person: first, last")
    #expect(
      message(Form(Person()) { TextField("Nothing", \.nothing) })
        == "cannot show the sheet Editor: its field \"Nothing\" sets no member of the encoded Person")
    #expect(
      message(Form("") { TextField("Text", \.self) })
        == "cannot show the sheet Editor: its field \"Text\" sets no member of the encoded String")
    #expect(
      message(Form(["list": [1]]) { NumberField("First", \.["list"]![0]) })
        == "cannot show the sheet Editor: its field \"First\" sets a part of the member \"list\" of "
        + "Dictionary<String, Array<Int>>; a field must set a whole member")
    #expect(
      message(Form(Order(weight: .nan)) { TextField("Name", \.name) })
        == "cannot show the sheet Editor: its field \"Name\" cannot be found, since the Order cannot be encoded as JSON")
  }

  @Test func `names the field of a wrong answer`() throws {
    for (value, message, field) in [
      (["count": 300], "its field \"count\" (How many) must be of type UInt8, not a number", "/count"),
      (["count": "3"], "its field \"count\" (How many) must be of type UInt8, not a string", "/count"),
      ([:], "its field \"count\" (How many) is missing", "/count"),
      (["count": 3, "spare": "huge"], "its field \"spare\" (Spare) must be of type Optional<Size>, not a string", "/spare"),
      (1, "it must be an object, not a number", ""),
    ] as [(JSONValue, String, String)] {
      let form = Form(Order()) {
        NumberField("How many", \.count)
        Picker("Spare", \.spare)
      }
      let error = #expect(throws: RouterError.self) { try answer(form, value) }
      #expect(error?.message == "cannot read the answer to the sheet Editor: \(message)")
      #expect(error?.field == field)
    }
  }

  @Test func `takes a JSON Schema and answers in JSON`() throws {
    let schema = FormSchema(title: "Where to?", properties: [FormSchema.Property(name: "street", kind: .string)])
    #expect(try PresentationRequest(Editor(Form(schema))).schema == schema)
    #expect(try answer(Form(schema), ["street": 1]) == ["street": 1])
  }
}
