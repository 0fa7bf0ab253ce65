import OrderedCollections
import Router
import Testing

/// Checks of a form's field names against the members of the answer's type.
struct FormFieldNameTests {
  private struct Order: Codable, Sendable {
    enum Size: String, Codable { case small, large }
    enum CodingKeys: String, CodingKey { case street, count, size, note, isGift = "gift" }

    var street: String
    var count: UInt8
    var size: Size
    var note: String?
    var isGift: Bool
  }

  /// An answer with two cases, selected by a field.
  private enum Payment: Codable, Sendable {
    enum CodingKeys: CodingKey { case method, card, iban }

    case card(String)
    case transfer(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if try container.decode(String.self, forKey: .method) == "card" {
        self = .card(try container.decode(String.self, forKey: .card))
      } else {
        self = .transfer(try container.decode(String.self, forKey: .iban))
      }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// An answer that reads one member only if another is missing.
  private struct Contact: Codable, Sendable {
    enum CodingKeys: CodingKey { case mail, phone }

    var address: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      address = try container.decodeIfPresent(String.self, forKey: .mail) ?? container.decode(String.self, forKey: .phone)
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// An answer that decodes only certain strings.
  private struct Even: Codable, Sendable {
    struct Digits: Codable, Sendable {
      struct Odd: Error {}

      init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(String.self) == "2468" else { throw Odd() }
      }

      func encode(to encoder: any Encoder) throws {}
    }

    var digits: Digits
  }

  private struct Form<Answer: Codable & Sendable>: Sheet {
    typealias Answer = Answer
    static var sheetName: String { "Form" }
    var form: FormSchema?

    init(@ListBuilder<FormSchema.Property> _ fields: () -> [FormSchema.Property]) {
      form = FormSchema(fields: fields)
    }
  }

  private func order(
    street: String = "street", count: String = "count", size: String = "size", note: String = "note", gift: String = "gift"
  ) -> Form<Order> {
    Form {
      TextField("Street", name: street, length: 1...9)
      NumberField("Count", name: count, isWhole: true, minimum: 1)
      Picker("Size", name: size, choices: ["small", "large"])
      TextField("Note", name: note, isRequired: false)
      Toggle("Gift", name: gift)
    }
  }

  private func error(_ sheet: Form<some Codable & Sendable>) -> RouterError? {
    #expect(throws: RouterError.self) { try PresentationRequest(sheet) }
  }

  @Test func `accepts a form whose fields match the answer's members`() throws {
    _ = try PresentationRequest(order())
    // A form may omit conditional fields.
    _ = try PresentationRequest(Form<Order> { TextField(name: "street") })
  }

  @Test func `throws an error naming an unknown field before showing the sheet`() async {
    let broker = ScriptedBroker(.answered(.value(["street": "Hill Road"])))
    await withEnvironment(\.presentationBroker, broker) {
      let error = await #expect(throws: RouterError.self) { try await ShowAction()(order(street: "stret")) }
      #expect(
        error?.description
          == "cannot show the sheet Form: its form has a field \"stret\", but Order has no such member "
          + "(it has street, count, size, note, gift)")
      #expect(error?.field == "/schema/properties/stret")
    }
    #expect(broker.requests.isEmpty)
  }

  @Test func `detects a misspelled name for each kind of field`() {
    for (sheet, name) in [
      (order(count: "cuont"), "cuont"), (order(size: "sise"), "sise"), (order(note: "notes"), "notes"),
      (order(gift: "isGift"), "isGift"),
    ] {
      #expect(error(sheet)?.field == "/schema/properties/" + name)
    }
  }

  @Test func `skips the check for an answer type that accepts any member`() throws {
    func fields() -> [FormSchema.Property] { Form<Order> { Toggle(name: "x") }.form?.properties ?? [] }
    _ = try PresentationRequest(Form<[String: Bool]> { fields() })
    _ = try PresentationRequest(Form<JSONValue> { fields() })
    _ = try PresentationRequest(Form<Never> { fields() })
  }

  @Test func `skips the check for an answer type that no sample value decodes`() throws {
    _ = try PresentationRequest(
      Form<Even> {
        TextField(name: "digits")
        Toggle(name: "x")
      })
  }

  @Test func `finds members that are read only in some cases`() throws {
    func payment(_ names: String...) -> Form<Payment> {
      Form {
        Picker(name: "method", choices: ["card", "transfer"])
        for name in names { TextField(name: name, isRequired: false) }
      }
    }
    _ = try PresentationRequest(payment("card", "iban"))
    #expect(error(payment("card", "ibna"))?.field == "/schema/properties/ibna")
    func contact(_ names: String...) -> Form<Contact> {
      Form { for name in names { TextField(name: name, isRequired: false) } }
    }
    _ = try PresentationRequest(contact("mail", "phone"))
    #expect(error(contact("mail", "fone"))?.field == "/schema/properties/fone")
  }
}
