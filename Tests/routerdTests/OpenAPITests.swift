import Logging
import NIOCore
import NIOHTTP1
import OrderedCollections
import Router
import Testing

@testable import routerd

struct OpenAPITests {
  private let document: JSONValue

  init() throws {
    document = try JSONValue(parsing: OpenAPI.document.readableBytesView)
  }

  private func object(_ path: String...) throws -> [String: JSONValue] {
    let value = path.reduce(document as JSONValue?) { $0?[$1] }
    let members = try #require(value?.object)
    return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
  }

  /// Returns every `$ref` in a value.
  private func references(in value: JSONValue) -> [String] {
    switch value {
    case .object(let members):
      (members["$ref"]?.string.map { [$0] } ?? []) + members.values.flatMap(references)
    case .array(let elements): elements.flatMap(references)
    case .null, .bool, .number, .string: []
    }
  }

  private func target(of reference: String) -> JSONValue? {
    guard reference.hasPrefix("#/") else { return nil }
    return reference.dropFirst(2).split(separator: "/").reduce(document as JSONValue?) { $0?[String($1)] }
  }

  @Test func `describes exactly the served routes and their roles`() async throws {
    let log = try AuditLog.inMemory()
    let coordinator = try await PresentationCoordinator(log: log)
    let configuration = LiveConfiguration(DaemonConfiguration(socket: "", database: ""))
    let (local, worker) = (Coordinators.Keeper(coordinator, log, try AuditReader(log)), try ThreadExecutor())
    let names = try UserNames()
    let table = RouteTable(
      coordinators: Coordinators(local), configuration: configuration, worker: worker, names: names,
      rulebook: Rulebook(configuration.current, local: local, names: names, worker: worker, logger: Logger(label: "test")))
    let served = Dictionary(grouping: table.routes) { "\($0.method.rawValue) \($0.path)" }
    #expect(served.values.allSatisfy { $0.count == 1 })
    var described: [String: AccessRule] = [:]
    for (path, item) in try object("paths") {
      for (method, operation) in try #require(item.object) where method != "parameters" {
        described["\(method.uppercased()) \(path)"] = try access(operation)
      }
    }
    // The documented roles match the enforced ones.
    #expect(served.compactMapValues(\.first?.access) == described)
    await coordinator.shutDown()
  }

  @Test func `has the daemon's version`() {
    #expect(document["info"]?["version"] == .string(routerVersion))
  }

  /// The access rule of an operation.
  private func access(_ operation: JSONValue) throws -> AccessRule {
    guard let roles = operation["x-roles"] else { return .anyone }
    return .oneOf(try #require(roles.array).map { try #require($0.string.flatMap(Role.init)) })
  }

  @Test func `resolves every reference`() {
    let references = references(in: document)
    #expect(references.count > 100)
    for reference in references { #expect(target(of: reference) != nil, "\(reference)") }
  }

  @Test func `uses every component`() throws {
    let used = Set(references(in: document))
    for kind in try object("components").keys {
      for name in try object("components", kind).keys { #expect(used.contains("#/components/\(kind)/\(name)")) }
    }
  }

  @Test func `has each schema of the code once, and none of them by hand`() throws {
    let (names, written) = (Schemas.all.map(\.name), try JSONValue(parsing: OpenAPI.written))
    #expect(Set(names).count == names.count)
    let byHand = try #require(written["components"]?["schemas"]?.object)
    #expect(byHand.keys.filter(names.contains) == [])
    #expect(Set(try object("components", "schemas").keys) == Set(names + byHand.keys))
  }

  /// Without its optional members. `RecordFuzzTests` has those, and reads back the records that need one of several.
  @Test(arguments: Schemas.records.indices) func `reads what every listed record writes, and finds what its schema requires`(
    index: Int
  ) throws {
    func check<R: Record>(_ type: R.Type) throws {
      let json = R.sample.json
      if R.conditions["oneOf"] == nil { #expect(try R(record: json, at: "").json == json, "\(type)") }
      let members = try #require(json.object)
      let properties = try #require(R.definition["properties"]?.object)
      #expect(members.keys.allSatisfy { properties[$0] != nil }, "\(type)")
      let required = R.definition["required"]?.array ?? []
      for name in required.compactMap(\.string) { #expect(members[name] != nil, "\(type) does not write \(name)") }
    }
    try check(Schemas.records[index])
  }

  @Test func `describes every path parameter`() throws {
    for (path, item) in try object("paths") {
      let parts = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
      let members = try #require(item.object)
      let lists = [members["parameters"]] + members.values.map { $0["parameters"] }
      let parameters = lists.compactMap { $0?.array }.joined().compactMap { $0["$ref"]?.string.flatMap(target) ?? $0 }
      let described = parameters.filter { $0["in"] == "path" }.compactMap { $0["name"]?.string }
      #expect(Set(described) == Set(parts), "\(path)")
    }
  }

  @Test func `gives every operation a unique id and documents its success`() throws {
    var ids: [String] = []
    for (path, item) in try object("paths") {
      for (method, operation) in try #require(item.object) where method != "parameters" {
        ids.append(try #require(operation["operationId"]?.string))
        #expect((operation["responses"]?["200"] ?? operation["responses"]?["204"]) != nil, "\(method) \(path)")
      }
    }
    #expect(Set(ids).count == ids.count)
  }

  @Test func `lists the library's enumeration cases`() throws {
    func check<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Choice.Type) throws {
      let cases = try #require(document["components"]?["schemas"]?[name]?["enum"]?.array, "\(name)")
      #expect(cases == Choice.allCases.map { .string($0.rawValue) }, "\(name)")
    }
    try check("PresentationKind", PresentationKind.self)
    try check("TitleVisibility", PresentationRequest.TitleVisibility.self)
    try check("PresentationPriority", PresentationOptions.Priority.self)
    try check("ConflictPolicy", PresentationOptions.ConflictPolicy.self)
    try check("NoPresenterPolicy", PresentationOptions.NoPresenterPolicy.self)
    try check("Severity", PresentationOptions.Severity.self)
    try check("ButtonRole", ButtonRole.self)
    try check("FormPropertyType", FormSchema.Property.Kind.self)
    try check("FormPropertyFormat", FormSchema.Property.Format.self)
    try check("PresentationState", Presentation.State.self)
    try check("CallbackStateName", Presentation.Callback.State.self)
    try check("OutcomeName", PresentationOutcome.Name.self)
    try check("AnswerKind", AnswerKind.self)
    try check("CancellationReason", PresentationOutcome.CancellationReason.self)
    try check("ExpiryPhase", PresentationOutcome.ExpiryPhase.self)
    try check("WithdrawalReason", Presentation.Withdrawal.self)
    try check("PromptControl", PromptDescription.Field.Control.self)
    try check("EventType", AuditEvent.Kind.self)
    try check("Durability", AuditLog.Durability.self)
    try check("ExecutableDoubt", ProcessIdentity.ExecutableDoubt.self)
    try check("RememberMatch", PresentationRequest.Remember.Match.self)
  }

  @Test func `lists the problem codes sent over the wire`() throws {
    let told = RouterError.Code.allCases.filter {
      RouterError($0, "").problem(title: "").code != nil
    }
    let codes = try #require(document["components"]?["schemas"]?["Problem"]?["properties"]?["code"]?["enum"]?.array)
    #expect(codes == told.map { .string($0.rawValue) })
  }

  @Test func `describes all fields of a request`() throws {
    let id = PresentationIDGenerator().next(at: Timestamp(milliseconds: 0))
    var requests = [
      PresentationRequest(
        kind: .confirmationDialog, title: "?", message: "m",
        buttons: [PresentationRequest.Button(id: "a", label: "A", role: .cancel)],
        titleVisibility: .visible, app: "app", timeout: .seconds(1), queueTimeout: .seconds(1), shownTimeout: .seconds(1),
        noPresenter: .fail, over: id, sensitive: true, onDismiss: try PresentationRequest.CallbackAddress("http+unix://%2Fa/b"),
        agent: 1, metadata: ["k": "v"])
    ]
    requests[0].messageFormat = .markdown
    requests[0].severity = .critical
    requests[0].dismissDisabled = true
    requests[0].attachments = [PresentationRequest.Attachment(.command, "ls")]
    requests[0].act = Act("run", object: "ls")
    requests[0].remember = PresentationRequest.Remember()
    requests.append(
      PresentationRequest(kind: .sheet, sheet: "s", payload: 1, schema: FormSchema(properties: []), flow: true))
    requests[1].require = .init(2)
    requests[1].hasAnswer = false
    let fields = Set(requests.flatMap { $0.json.object?.keys.map { $0 } ?? [] })
    #expect(Set(try object("components", "schemas", "PresentationRequest", "properties").keys) == fields)
  }

  @Test func `describes all fields of an answer and of a presenter's scope`() throws {
    let id = PresentationIDGenerator().next(at: Timestamp(milliseconds: 0))
    var extra = AnswerExtra(comment: "c")
    extra.remember = GrantChoice(for: .session)
    extra.also = [id: "digest"]
    let answers = [ActBody(Verbs.Answer(.button("a"), extra), generation: 1), ActBody(Verbs.Answer(.value(1), extra))]
    let fields = Set(answers.flatMap { $0.json.object?.keys.map { $0 } ?? [] })
    #expect(Set(try object("components", "schemas", "AnswerBody", "properties").keys) == fields)

    let presenter = PresenterIdentity(
      name: "a", process: ProcessIdentity(uid: 0, gid: 0, pid: 1), since: Timestamp(milliseconds: 0),
      scope: PresenterScope(only: id, after: .seconds(1), priority: .low))
    let members = try #require(presenter.attached.json.object)
    #expect(Set(try object("components", "schemas", "AttachedPresenter", "properties").keys) == Set(members.keys))
  }

  @Test func `describes all fields of a presentation`() throws {
    var process = ProcessIdentity(
      uid: 0, gid: 0, pid: 1, executableDoubt: .later, unit: "deploy.service", host: "alpha", directory: "/",
      ancestry: [ProcessIdentity.Ancestor(pid: 1, started: 0)])
    process.loginUser = 5
    let id = PresentationIDGenerator().next(at: Timestamp(milliseconds: 0))
    var request = PresentationRequest(kind: .sheet)
    request.act = Act("run", object: "ls")
    request.require = .init(2)
    var presentation = Presentation(
      id: id, requester: Presentation.Requester(app: "a", process: process), request: request,
      requestedAt: Timestamp(milliseconds: 0), outcome: .dismissed,
      resolvedBy: Presentation.Responder(process: process), callback: Presentation.Callback(),
      ruling: Ruling(
        rule: "a", rules: "",
        changes: Rule.Changes(priority: .low, isDestructive: true, mayRemember: false, require: .init(2))))
    presentation.approvals = [
      try Presentation.Approval(
        json: [
          "by": presentation.json["resolvedBy"] ?? .null, "at": "2026-01-01T00:00:00.000Z", "button": "ok", "comment": "c",
        ])
    ]
    presentation.because = .grant(id)
    presentation.ran = Presentation.Ran(
      ActReport(act: "ab", .status(0), duration: .zero), by: Presentation.Responder(process: process))
    presentation.snoozedUntil = Timestamp(milliseconds: 0)
    presentation.offer = try GrantOffer(
      json: [
        "buttons": ["ok"], "match": [["match": "exact"]], "for": ["session"], "anchor": ["pid": 1, "started": 0], "boot": "b",
        "uncovered": ["grant": .string(id.description), "coverage": "exactly this", "why": "is long"],
        "habit": ["button": "OK", "count": 3],
        "program": ["path": "/bin/ls", "inode": "1", "size": 1, "changedAt": "2026-01-01T00:00:00.000Z"],
      ],
      at: "")
    for (name, value) in [
      ("Presentation", presentation.json), ("Requester", presentation.json["requester"]),
      ("Resolver", presentation.json["resolvedBy"]), ("Callback", presentation.json["callback"]),
      ("Ruled", presentation.json["ruled"]), ("Approval", presentation.json["approvals"]?.array?.first),
      ("RememberOffer", presentation.json["offer"]),
    ] {
      let fields = Set(try #require(value?.object).keys)
      #expect(Set(try object("components", "schemas", name, "properties").keys) == fields, "\(name)")
      let required = try #require(document["components"]?["schemas"]?[name]?["required"]?.array)
      // Not every process runs in a unit or on another host, and not all of /proc can be read. Few answers are remembered.
      let optional = [
        "executableDoubt", "unit", "host", "directory", "ancestry", "because", "ruled", "actDigest", "offer", "anchor",
        "boot", "priority", "destructive", "remember", "require", "approvals", "requires", "loginUid", "snoozedUntil", "ran",
        "comment", "uncovered", "habit", "program",
      ]
      #expect(Set(required.compactMap(\.string)) == fields.subtracting(optional), "\(name)")
    }
  }
}
