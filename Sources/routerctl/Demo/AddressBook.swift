import OrderedCollections
import Router
import RouterClient
import RouterCommandLine

/// The demo's program, which takes an order and asks for the shipping address. Independent of how prompts are presented.
struct AddressBook: Sendable {
  static let recent: KeyValuePairs<String, [String]> = [
    "Ada Lovelace, London": ["Ada Lovelace", "12 St James's Square", "London"],
    "Grace Hopper, Arlington": ["Grace Hopper", "1 Navy Annex", "Arlington"],
  ]
  static let newAddress = "New address"

  let client: RouterClient
  let say: @Sendable (String) -> Void

  func run() async throws {
    say("1 of 3: a program shows a sheet that asks where to ship an order.")
    guard let picked = try await value(of: client.submit(Self.picker))?["address"]?.string else { return }

    say("2 of 3: it shows the address form and stacks an alert on it, which covers the form until it is answered.")
    let form = client.submit(Self.form(filledWith: Self.recent.first { $0.key == picked }?.value ?? []))
    let alert = client.submit(Self.saveAlert(over: try await form.accepted().id))
    let isSaved = try await alert.resolved().outcome == .answered(.button("save"))
    guard let address = try await value(of: form) else { return }

    say("3 of 3: the program confirms the order.")
    _ = try await client.submit(Self.done(address, isSaved: isSaved)).resolved()
  }

  private func value(of handle: PresentationHandle) async throws -> JSONValue? {
    let presentation = try await handle.resolved()
    try Task.checkCancellation()
    switch presentation.outcome {
    case .answered(.value(let value)): return value
    case .dismissed:
      say("You closed it. The program receives \"dismissed\", which is not the same as No.")
      return .none
    default: throw CommandFailure(.failed, "the demo failed: \(presentation.endText)")
    }
  }

  static var picker: PresentationRequest {
    let choices = recent.map { JSONValue.string($0.key) } + [.string(newAddress)]
    return PresentationRequest(
      kind: .sheet, title: "Where should it go?", message: "Your recent addresses, or a new one.", sheet: "recent-addresses",
      schema: FormSchema(properties: [
        FormSchema.Property(name: "address", kind: .string, title: "Address", isRequired: true, choices: choices)
      ]))
  }

  static func form(filledWith values: [String]) -> PresentationRequest {
    let fields = [("name", "Name", 1), ("street", "Street", 3), ("city", "City", 2)]
    let properties = fields.enumerated().map { index, field in
      FormSchema.Property(
        name: field.0, kind: .string, title: field.1, isRequired: true,
        defaultValue: values.isEmpty ? Optional.none : .string(values[index]),
        minimumLength: field.2, maximumLength: 80)
    }
    return PresentationRequest(
      kind: .sheet, title: "Shipping address", sheet: "address", schema: FormSchema(properties: properties))
  }

  static func saveAlert(over form: PresentationID) -> PresentationRequest {
    PresentationRequest(
      kind: .alert, title: "Save address?", message: "The address that you enter can be saved to your address book.",
      buttons: [
        PresentationRequest.Button(id: "save", label: "Yes, save"),
        PresentationRequest.Button(id: "once", label: "No, use one time only", role: .cancel),
      ],
      over: form)
  }

  static func done(_ address: JSONValue, isSaved: Bool) -> PresentationRequest {
    let lines = ["name", "street", "city"].compactMap { address[$0]?.string }
    return PresentationRequest(
      kind: .alert, title: "Done",
      message: "It ships to \(lines.joined(separator: ", ")). The address is \(isSaved ? "saved" : "used this one time").")
  }
}
