extension Grant: JSONObject {
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

  init(_ reader: inout JSONObjectReader) throws(JSONError) {
    if let id = try reader.presentationID(ifPresent: "id") {
      self.id = id
    } else {
      id = try reader.presentationID("grant")
    }
    let owner = Owner(host: try reader.string("host") ?? "", uid: try reader.uid("uid"))
    let width = GrantOffer.Width(try reader.requiredChoice("match"), count: try reader.count("count"))
    let kept: (verb: String, digest: String)
    // Earlier versions recorded the act.
    if let act = try reader.object("act", Act.init) {
      (kept, coverage) = ((act.verb, act.digest), width.coverage(of: act))
    } else {
      kept = (try reader.requiredString("verb"), try reader.requiredString("sha256"))
      coverage = try reader.requiredString("coverage")
    }
    condition = Condition(
      owner: owner, surface: try reader.requiredString("surface"),
      verb: kept.verb, width: width, digest: kept.digest, session: try reader.object("session", Session.init),
      executable: try reader.string("executable"))
    (button, label) = (try reader.requiredString("button"), try reader.requiredString("label"))
    isRefusal = try reader.bool("refuses") ?? false
    (app, anchor) = (try reader.requiredString("app"), try reader.string("anchor") ?? "")
    (grantedAt, until) = (try reader.time("grantedAt"), try reader.timestamp("until"))
    cautions = Set(try reader.strings("cautions") ?? [])
    presentation = try reader.presentationID("presentation")
    by = try reader.requiredObject("by", Presentation.Responder.init)
    guard (condition.session == nil) == (until != nil) else { throw reader.error("does not fit session", at: "until") }
  }
}

extension Grant.Session: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("pid", Int(pid))
    writer.add("started", started)
    writer.add("boot", boot)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    guard let pid = Int32(exactly: try reader.requiredCount("pid")) else { throw reader.error("is out of range", at: "pid") }
    (self.pid, started, boot) = (pid, try reader.requiredCount("started"), try reader.requiredString("boot"))
  }
}
