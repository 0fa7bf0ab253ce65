import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

struct PromptDescriptionTests {
  private func alert(_ roles: [ButtonRole?]) -> PromptDescription {
    PromptDescription(
      PresentationRequest(
        kind: .alert, title: "?",
        buttons: roles.enumerated().map { PresentationRequest.Button(id: "b\($0)", label: "B\($0)", role: $1) }))
  }

  @Test(
    arguments: [
      ([nil], 0), ([.destructive], 0), ([.destructive, nil, .cancel], 1), ([.cancel, nil, nil], 1),
      ([.destructive, .cancel], 1), ([.destructive, .destructive], nil),
    ] as [([ButtonRole?], Int?)])
  func `Enter presses a button whose action can be undone`(roles: [ButtonRole?], index: Int?) {
    #expect(alert(roles).buttons.firstIndex(where: \.isDefault) == index)
    #expect(alert(roles).buttons.count(where: \.isDefault) <= 1)
  }

  @Test(arguments: [ButtonRole.destructive, .cancel, nil])
  func `Enter presses the button that the request chose`(role: ButtonRole?) {
    let buttons = [
      PresentationRequest.Button(id: "a", label: "A"),
      PresentationRequest.Button(id: "b", label: "B", role: role, isDefault: true),
      PresentationRequest.Button(id: "c", label: "C", role: .cancel),
    ]
    let prompt = PromptDescription(PresentationRequest(kind: .alert, title: "?", buttons: buttons))
    #expect(prompt.buttons.map(\.isDefault) == [false, true, false])
  }

  @Test func `says whether it can be closed and how serious it is`() {
    var request = PresentationRequest(kind: .alert, title: "?")
    #expect(!PromptDescription(request).isDismissDisabled && PromptDescription(request).severity == .standard)
    request.dismissDisabled = true
    request.severity = .critical
    #expect(PromptDescription(request).isDismissDisabled && PromptDescription(request).severity == .critical)
  }

  @Test func `the first nine buttons have a digit`() {
    let keys = alert(Array(repeating: nil, count: 11)).buttons.map(\.key)
    #expect(keys == (1...9).map(String.init) + [nil, nil])
  }

  @Test func `lists kernel-verified facts before the requester's own name`() throws {
    let process = ProcessIdentity(uid: 4_000_000_000, gid: 0, pid: 7, executable: "/bin/sh", unit: "a.service")
    let presentation = Presentation(
      id: PresentationID(number: 1),
      requester: Presentation.Requester(app: "bank", process: process),
      request: PresentationRequest(kind: .sheet, sheet: "s", app: "bank"), requestedAt: Timestamp(milliseconds: 0))
    let asker = PromptDescription(presentation, userName: nil).asker
    #expect(asker.map(\.text) == ["uid 4000000000, pid 7", "/bin/sh", "a.service", "bank"])
    #expect(asker.map(\.isOwnWord) == [false, false, false, true])
  }

  @Test func `closing dismisses a sheet, leaves a flow at its root and goes back elsewhere`() throws {
    var request = PresentationRequest(kind: .sheet, sheet: "s")
    #expect(PromptDescription(request).closing == .dismiss)
    request.flow = true
    #expect(PromptDescription(request).closing == .leave)
    request.over = PresentationID(number: 1)
    #expect(PromptDescription(request).closing == .back)
  }

  @Test func `labels the button that sends a sheet, and has none for a sheet without an answer`() {
    var request = PresentationRequest(kind: .sheet, sheet: "s", payload: 1)
    #expect(PromptDescription(request).submitLabel == "Answer" && PromptDescription(request).payload == 1)
    request.schema = FormSchema(properties: [])
    #expect(PromptDescription(request).submitLabel == "Continue")
    (request.schema, request.hasAnswer) = (nil, false)
    let prompt = PromptDescription(request)
    #expect(prompt.submitLabel == nil && prompt.closing == .close && !prompt.takesAnyJSON && prompt.payload == nil)
    #expect(alert([nil]).submitLabel == nil)
  }

  @Test func `a dialog can hide its title only if it has a message`() {
    var request = PresentationRequest(kind: .confirmationDialog, title: "T", message: "M", titleVisibility: .hidden)
    #expect(!PromptDescription(request).isHeadingVisible)
    request.message = nil
    #expect(PromptDescription(request).isHeadingVisible)
  }

  private let schema = FormSchema(
    description: "All about it.",
    properties: [
      FormSchema.Property(name: "name", kind: .string, title: "Name", isRequired: true, minimumLength: 2, maximumLength: 9),
      FormSchema.Property(name: "age", kind: .integer, minimum: JSONValue.Number(0), maximum: JSONValue.Number(150)),
      FormSchema.Property(name: "on", kind: .boolean, defaultValue: true),
      FormSchema.Property(name: "size", kind: .number, choices: [1, JSONValue.Number(2.5).map(JSONValue.number) ?? .null]),
      FormSchema.Property(name: "pin", kind: .string, format: .password),
      FormSchema.Property(
        name: "days", kind: .array, choices: ["Mo", "Tu"], choiceTitles: ["Monday", "Tuesday"], maximumCount: 1),
    ])

  @Test func `describes each field's control, hint and initial value`() {
    let fields = PromptDescription(PresentationRequest(kind: .sheet, sheet: "s", schema: schema)).fields
    #expect(fields.map(\.label) == ["Name", "age", "on", "size", "pin", "days"])
    #expect(fields.map(\.control) == [.text, .number, .toggle, .choice, .secret, .multipleChoice])
    #expect(fields.map(\.hint) == ["2 to 9 characters", "a whole number from 0 to 150", nil, nil, nil, "at most 1"])
    #expect(fields[2].start == "true" && fields[3].choices == ["1", "2.5"] && fields[3].choiceLabels == ["1", "2.5"])
  }

  @Test func `converts typed text to an answer`() throws {
    let typed: OrderedDictionary = ["pin": "", "name": " Ada ", "age": " +36 ", "size": "2.5", "on": "no", "days": "Tuesday"]
    let (answer, problems) = try schema.read(typed: typed)
    #expect(problems.isEmpty)
    #expect(answer?.description == #"{"name":" Ada ","age":36,"on":false,"size":2.5,"days":["Tu"]}"#)
  }

  @Test func `reports one problem per field in the form's order`() throws {
    let (answer, problems) = try schema.read(typed: ["size": "3", "on": "perhaps", "age": "eleven"])
    #expect(answer == nil)
    #expect(
      problems == [
        "name": "is required", "age": "must be a whole number", "on": "must be true or false",
        "size": "must be one of the choices",
      ])
    #expect(throws: JSONError.self) { try schema.read(typed: ["other": ""]) }
  }

  @Test func `every answer read from typed text matches the schema`() throws {
    var generator = SystemRandomNumberGenerator()
    let texts = [
      "", " ", "Ada", "x", "1", "1.0", "2.5", "-3", "151", "true", "maybe", "1e2", "\u{301}", "Ada Lovelace", "Mo", "Mo,Tu",
    ]
    for _ in 0..<500 {
      let typed = OrderedDictionary(
        uniqueKeysWithValues: schema.properties.map { ($0.name, texts.randomElement(using: &generator) ?? "") })
      let (answer, problems) = try schema.read(typed: typed)
      #expect((answer == nil) != problems.isEmpty, "\(typed)")
      if let answer { #expect(throws: Never.self, "\(typed)") { try schema.check(answer) } }
    }
  }
}
