import OrderedCollections

extension PresentationRequest: JSONObject {
  /// The request's body on the wire; what is at its default is left out, but `surface`, `priority` and `conflictPolicy`.
  public var json: JSONValue { JSONValue(self) }

  func addMembers(to members: inout some JSONMembers) {
    members.add("kind", .string(kind.rawValue))
    members.add("title", ifPresent: title)
    members.add("titleVisibility", ifPresent: titleVisibility?.rawValue)
    members.add("message", ifPresent: message)
    if !buttons.isEmpty { members.add("buttons", buttons) }
    members.add("sheet", ifPresent: sheet)
    if let payload { members.add("payload", payload) }
    if let schema { members.add("schema", schema.json) }
    members.add("app", ifPresent: app)
    members.add("surface", .string(surface))
    members.add("priority", .string(priority.rawValue))
    members.add("conflictPolicy", .string(conflictPolicy.rawValue))
    if let timeout { members.add("timeout", .seconds(timeout)) }
    if let queueTimeout { members.add("queueTimeout", .seconds(queueTimeout)) }
    if let shownTimeout { members.add("shownTimeout", .seconds(shownTimeout)) }
    if noPresenter != .wait { members.add("noPresenter", .string(noPresenter.rawValue)) }
    members.add("over", ifPresent: over?.description)
    if flow { members.add("flow", true) }
    if sensitive { members.add("sensitive", true) }
    if let onDismiss { members.add("onDismiss", onDismiss.json) }
    if !metadata.isEmpty { members.add("metadata", .object(metadata.mapValues(JSONValue.string))) }
  }

  /// Reads a request's body and checks it, as `check()` does.
  ///
  /// - Throws: A ``JSONError`` that points to the field to blame.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    try self.init(accepted: json, at: pointer)
    normalize()
    try check(at: pointer)
  }

  /// Reads a request that was accepted once, by this program or another: it is not checked again.
  init(accepted json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    guard let kind: PresentationKind = try reader.choice("kind") else { throw reader.error("is missing", at: "kind") }
    self.init(kind: kind)
    title = try reader.string("title")
    message = try reader.string("message")
    titleVisibility = try reader.choice("titleVisibility")
    for (index, element) in (try reader.array("buttons") ?? []).enumerated() {
      buttons.append(try PresentationButton(json: element, at: reader.pointer(to: "buttons") + "/\(index)"))
    }
    sheet = try reader.string("sheet")
    payload = reader.any("payload")
    if let value = reader.value("schema") { schema = try FormSchema(json: value, at: reader.pointer(to: "schema")) }
    app = try reader.string("app")
    surface = try reader.string("surface") ?? surface
    priority = try reader.choice("priority") ?? priority
    conflictPolicy = try reader.choice("conflictPolicy") ?? conflictPolicy
    timeout = try reader.duration("timeout")
    queueTimeout = try reader.duration("queueTimeout")
    shownTimeout = try reader.duration("shownTimeout")
    noPresenter = try reader.choice("noPresenter") ?? noPresenter
    if let text = try reader.string("over") {
      guard let id = PresentationID(text) else { throw reader.error("must be the id of a presentation", at: "over") }
      over = id
    }
    flow = try reader.bool("flow") ?? flow
    sensitive = try reader.bool("sensitive") ?? sensitive
    onDismiss = try reader.value("onDismiss").map { value throws(JSONError) in
      try CallbackAddress(json: value, at: reader.pointer(to: "onDismiss"))
    }
    if let value = reader.value("metadata") {
      guard let labels = value.object else { throw reader.error("must be an object of strings", at: "metadata") }
      for (name, label) in labels {
        guard let text = label.string else {
          let place = reader.pointer(to: "metadata") + "/" + JSONPointer.escape(name)
          throw JSONError("must be a string, not \(label.typeName)", at: place)
        }
        metadata[name] = text
      }
    }
    try reader.finish()
  }
}

extension PresentationButton: JSONObject {
  func addMembers(to members: inout some JSONMembers) {
    members.add("id", .string(id))
    members.add("label", .string(label))
    members.add("role", ifPresent: role?.rawValue)
  }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let id = try reader.requiredString("id")
    self.init(id: id, label: try reader.string("label") ?? id, role: try reader.choice("role"))
    try reader.finish()
  }
}
