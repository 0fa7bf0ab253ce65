extension Grant: JSONObject, JSONPart {
  package func addMembers(to writer: inout JSONWriter) { addMembers(to: &writer, id: "grant") }

  /// - Parameter name: The name of the id's member: `grant` in events, `id` in the API.
  package func addMembers(to writer: inout JSONWriter, id name: StaticString) {
    writer.add(name, id.description)
    writer.add("surface", condition.surface)
    writer.add("button", button)
    writer.add("label", label)
    if isRefusal { writer.add("refuses", true) }
    writer.add("verb", condition.verb)
    writer.add("sha256", condition.digest)
    writer.add("coverage", coverage)
    condition.width.addMembers(to: &writer)
    writer.add("uid", Int(condition.owner.uid))
    if !condition.owner.host.isEmpty { writer.add("host", condition.owner.host) }
    writer.add("app", app)
    writer.add("anchor", anchor)
    writer.add("session", ifPresent: condition.session)
    writer.add("executable", ifPresent: condition.executable)
    writer.add("grantedAt", grantedAt.description)
    writer.add("until", ifPresent: until?.description)
    if !cautions.isEmpty { writer.add("cautions", cautions.sorted()) }
    writer.add("presentation", presentation.description)
    writer.add("by", by)
  }

  /// Decodes the format of the event and of the API. Ignores unknown members of newer versions.
  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    try self.init(&reader)
  }

  /// Decodes the event, which has no other members.
  init(exactly json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    try self.init(&reader)
    try reader.finish()
  }

  private init(_ reader: inout JSONObjectReader) throws(JSONError) {
    if let id = try reader("id", as: GrantID.self) {
      self.id = id
    } else {
      id = try reader.required("grant")
    }
    let owner = Owner(host: try reader.string("host") ?? "", uid: try reader.required("uid"))
    let width = GrantOffer.Width(try reader.required("match"), count: try reader.count("count"))
    let kept: (verb: String, digest: String)
    // Earlier versions recorded the act.
    if let act = try reader.object("act", Act.init(json:at:)) {
      (kept, coverage) = ((act.verb, act.digest), width.coverage(of: act))
    } else {
      kept = (try reader.required("verb"), try reader.required("sha256"))
      coverage = try reader.required("coverage")
    }
    condition = Condition(
      owner: owner, surface: try reader.required("surface"),
      verb: kept.verb, width: width, digest: kept.digest, session: try reader.object("session", Session.init(json:at:)),
      executable: try reader.string("executable"))
    (button, label) = (try reader.required("button"), try reader.required("label"))
    isRefusal = try reader.bool("refuses") ?? false
    (app, anchor) = (try reader.required("app"), try reader.string("anchor") ?? "")
    (grantedAt, until) = (try reader.required("grantedAt"), try reader("until"))
    cautions = Set(try reader("cautions") ?? [])
    presentation = try reader.required("presentation")
    by = try reader.requiredObject("by", Presentation.Responder.init)
    guard (condition.session == nil) == (until != nil) else { throw reader.error("does not fit session", at: "until") }
  }
}

extension Grant.Session: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    pid = try f("pid", \.pid)
    started = try f("started", \.started)
    boot = try f("boot", \.boot)
  }
}
