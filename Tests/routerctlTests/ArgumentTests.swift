import ArgumentParser
import OrderedCollections
import Router
import RouterCommandLine
import RouterFrontEnds
import Testing

@testable import routerctl

struct ArgumentTests {
  @Test func `keeps the order of an alert's buttons, with cancel last`() throws {
    let alert = try Alert.parse([
      "Deploy?", "--cancel", "Not now", "--button", "a=Aaa", "--destructive", "b=Bbb=C", "--button", "c", "--message", "m",
    ])
    let request = try alert.request()
    #expect(request.kind == .alert)
    #expect(request.title == "Deploy?")
    #expect(request.message == "m")
    #expect(
      request.buttons == [
        PresentationRequest.Button(id: "a", label: "Aaa"),
        PresentationRequest.Button(id: "b", label: "Bbb=C", role: .destructive),
        PresentationRequest.Button(id: "c", label: "c"),
        PresentationRequest.Button(id: "cancel", label: "Not now", role: .cancel),
      ])
  }

  @Test func `puts the common options into the request`() throws {
    let confirm = try Confirm.parse([
      "Sure?", "--surface", "desk", "--app", "backup", "--priority", "high", "--policy", "cancelPrevious", "--timeout", "1.5m",
      "--sensitive", "--over", "01936f5e-1b2c-7def-8a90-112233445566", "--metadata", "a=b=c", "--metadata", "d=",
    ])
    let request = confirm.request
    #expect(request.surface == "desk")
    #expect(request.app == "backup")
    #expect(request.priority == .high)
    #expect(request.conflictPolicy == .cancelPrevious)
    #expect(request.timeout == .seconds(90))
    #expect(request.sensitive)
    #expect(request.metadata == ["a": "b=c", "d": ""])
    #expect(request.buttons.map(\.id) == ["yes", "no"])
    #expect(request.buttons.map(\.role) == [nil, .cancel])
  }

  @Test func `numbers the choices as buttons`() throws {
    let choose = try Choose.parse(["Which?", "main", "release 1.4", "--cancel", "Stay"])
    let request = try choose.request([("c1", "main"), ("c2", "release 1.4")])
    #expect(request.kind == .confirmationDialog)
    #expect(request.buttons.map(\.id) == ["c1", "c2", "cancel"])
    #expect(request.buttons.map(\.label) == ["main", "release 1.4", "Stay"])
  }

  @Test func `chooses the default button, and refuses an unknown one`() throws {
    func defaults(_ request: PresentationRequest) -> [String] { request.buttons.filter(\.isDefault).map(\.id) }
    #expect(defaults(try Confirm.parse(["Sure?"]).request) == [])
    #expect(defaults(try Confirm.parse(["Sure?", "--default", "no"]).request) == ["no"])
    let alert = ["Deploy?", "--destructive", "deploy=Deploy", "--cancel", "Not now", "--default"]
    #expect(defaults(try Alert.parse(alert + ["deploy"]).request()) == ["deploy"])
    #expect(throws: CommandFailure.self) { try Alert.parse(alert + ["Deploy"]).request() }
    let choices = [("c1", "main"), ("c2", "develop")]
    #expect(defaults(try Choose.parse(["Which?", "--default", "develop"]).request(choices)) == ["c2"])
    let stay = ["Which?", "--cancel", "Stay", "--default", "Stay"]
    #expect(defaults(try Choose.parse(stay).request(choices)) == ["cancel"])
    #expect(throws: (any Error).self) { try Choose.parse(["Which?", "--multiple", "--default", "develop"]) }
  }

  @Test func `can require an answer and mark it as critical`() throws {
    let request = try Confirm.parse(["Sure?", "--no-dismiss", "--severity", "critical"]).request
    #expect(request.dismissDisabled && request.severity == .critical)
  }

  @Test func `can show a sheet without an answer`() throws {
    #expect(try !Sheet.parse(["done", "--no-answer"]).request().hasAnswer)
    #expect(throws: (any Error).self) { try Sheet.parse(["done", "--no-answer", "--field", "name:string"]) }
  }

  @Test func `choices from standard input are its lines, each once`() throws {
    #expect(try Choose.lines(Array("main\r\n\n  \n développer \nmain".utf8)) == ["main", " développer "])
    // Lines are the same only if their bytes are.
    #expect(try Choose.lines(Array("caf\u{E9}\ncafe\u{301}\n".utf8) + [0xFF, 0x0A, 0xFE]).count == 4)
    #expect(throws: CommandFailure.self) { try Choose.lines([]) }
  }

  @Test func `the log takes users by name or number, and says where a yes is found`() throws {
    #expect(try LogList.parse(["--user", "root", "--uid", "7"]).filters.query.uids == [0, 7])
    let error = try #require(throws: (any Error).self) { try LogList.parse(["--outcome", "approved"]) }
    #expect(LogList.message(for: error).contains("For the answer, pass --answer yes or --answer no."))
  }

  @Test func `several choices are one field`() throws {
    let request = try Choose.parse(["Which?", "--multiple"]).request([("c1", "a"), ("c2", "b")])
    #expect(request.kind == .sheet)
    #expect(request.schema?.properties.map(\.kind) == [.array])
    #expect(request.schema?.properties.first?.choices == ["a", "b"])
  }

  @Test func `an id may be its beginning or end, if that is one's alone`() throws {
    let ids = ["01936f5e-1b2c-7def-8a90-112233445566", "01936f5e-1b2c-7def-8a90-aa2233445566"].compactMap { PresentationID($0) }
    func find(_ text: String) throws -> PresentationID? { try IDArgument(argument: text)?.find(among: ids) }
    #expect(try find("AA2233445566") == ids[1])
    #expect(try find("8a90") == nil)
    #expect(throws: CommandFailure.self) { try find("01936f5e") }
    for text in ["566", "presentation", String(repeating: "0", count: 37)] { #expect(IDArgument(argument: text) == nil) }
  }

  @Test func `keeps the order of a sheet's fields`() throws {
    let sheet = try Sheet.parse(["order", "--payload", #"{"a":1}"#, "--field", "z:integer=1", "--field", "a:S|M!", "--cover"])
    let request = try sheet.request()
    #expect(request.kind == .fullScreenCover)
    #expect(request.payload == ["a": 1])
    #expect(request.schema?.properties.map(\.name) == ["z", "a"])
  }

  @Test(arguments: [
    ("name", FormSchema.Property(name: "name", kind: .string)),
    ("name:string", FormSchema.Property(name: "name", kind: .string)),
    ("name:string!", FormSchema.Property(name: "name", kind: .string, isRequired: true, minimumLength: 1)),
    ("name=a=b", FormSchema.Property(name: "name", kind: .string, defaultValue: "a=b")),
    ("pin:password!", FormSchema.Property(name: "pin", kind: .string, isRequired: true, minimumLength: 1, format: .password)),
    ("due:date", FormSchema.Property(name: "due", kind: .string, format: .date)),
    ("n:integer=3", FormSchema.Property(name: "n", kind: .integer, defaultValue: 3)),
    ("x:number=-2e3", FormSchema.Property(name: "x", kind: .number, defaultValue: try? JSONValue(parsing: "-2e3"))),
    ("gift:boolean=yes", FormSchema.Property(name: "gift", kind: .boolean, defaultValue: true)),
    (
      "size:S|M|L!=M",
      FormSchema.Property(
        name: "size", kind: .string, isRequired: true, defaultValue: "M", choices: ["S", "M", "L"], minimumLength: 1)
    ),
    (
      "days:[Mo|Tu]!=Tu,Mo",
      FormSchema.Property(
        name: "days", kind: .array, isRequired: true, defaultValue: ["Mo", "Tu"], choices: ["Mo", "Tu"], minimumCount: 1)
    ),
  ])
  func `parses a field`(argument: String, property: FormSchema.Property) throws {
    #expect(try FieldArgument(argument).property == property)
  }

  @Test(
    arguments: [
      (["", ":string"], "name is missing"), (["a:", "a:text", "a:array", "a:[S]"], "one of these types: string, number"),
      (["a:S|", "a:S|S"], "must differ"), (["n:integer=x", "n:integer=1.5", "g:boolean=2"], "is not a value of the type"),
      (["s:S|M=L", "a:[S|M]=L"], "is not a value of the type"),
    ])
  func `says what is wrong with a field`(arguments: [String], reason: String) {
    for argument in arguments {
      let error = #expect(throws: ValidationError.self) { try FieldArgument(argument) }
      #expect(error?.message.contains(reason) == true, "\(argument)")
    }
  }

  @Test(arguments: [
    ("30", Duration.seconds(30)), ("0.5", .milliseconds(500)), ("250ms", .milliseconds(250)), ("30s", .seconds(30)),
    ("5m", .seconds(300)), ("2h", .seconds(7200)), ("1d", .seconds(86_400)),
  ])
  func `parses a duration with or without a unit`(argument: String, duration: Duration) {
    #expect(DurationArgument(argument: argument)?.duration == duration)
  }

  @Test(arguments: ["", "s", "0", "-1", "1w", "1 h", "nan", "inf", "1e99"])
  func `refuses an invalid duration`(argument: String) {
    #expect(DurationArgument(argument: argument) == nil)
  }

  @Test(arguments: [
    ["alert"], ["choose"], ["alert", "x", "--priority", "urgent"], ["alert", "x", "--over", "1"],
    ["alert", "x", "--button", "="],
    ["sheet", "x", "--field", "a", "--field", "a"], ["sheet", "x", "--field", "a", "--schema", "{}"],
    ["answer", "01936f5e-1b2c-7def-8a90-112233445566"], ["cancel"], ["cancel", "--all", "--app", "a"], ["wait", "x"],
    ["frobnicate"],
  ])
  func `exits 64 for an invalid command line`(arguments: [String]) {
    let error = #expect(throws: (any Error).self) { try Routerctl.parseAsRoot(arguments) }
    #expect(error.map { Routerctl.exitCode(for: $0).rawValue } == ExitStatus.usage.rawValue)
    #expect(error.flatMap { CommandFailure(diagnosing: $0) } == nil)
  }
}
