import OrderedCollections

extension PresentationRequest: JSONObject {
  /// The request as a body of the HTTP API. Omits defaults, except `surface`, `priority` and `conflictPolicy`.
  public var json: JSONValue { jsonText.value }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("kind", kind.rawValue)
    writer.add("title", ifPresent: title)
    writer.add("titleVisibility", ifPresent: titleVisibility?.rawValue)
    writer.add("message", ifPresent: message)
    if messageFormat != .plain { writer.add("messageFormat", messageFormat.rawValue) }
    if !attachments.isEmpty { writer.add("attachments", attachments) }
    writer.add("act", ifPresent: act)
    writer.add("remember", ifPresent: remember)
    writer.add("require", ifPresent: require)
    if !buttons.isEmpty { writer.add("buttons", buttons) }
    writer.add("suppressionToggle", ifPresent: suppressionToggle)
    writer.add("sheet", ifPresent: sheet)
    if let payload { writer.add("payload", payload) }
    if let schema { writer.add("schema", schema.json) }
    writer.add("app", ifPresent: options.app)
    writer.add("surface", options.surface)
    writer.add("priority", options.priority.rawValue)
    writer.add("conflictPolicy", options.conflictPolicy.rawValue)
    writer.add("timeout", ifPresent: options.timeout)
    writer.add("queueTimeout", ifPresent: options.queueTimeout)
    writer.add("shownTimeout", ifPresent: options.shownTimeout)
    if options.noPresenter != .wait { writer.add("noPresenter", options.noPresenter.rawValue) }
    if options.severity != .standard { writer.add("severity", options.severity.rawValue) }
    if options.dismissDisabled { writer.add("dismissDisabled", true) }
    writer.add("over", ifPresent: options.over?.description)
    if flow { writer.add("flow", true) }
    if options.sensitive { writer.add("sensitive", true) }
    writer.add("onDismiss", ifPresent: onDismiss)
    if let agent { writer.add("agent", Int(agent)) }
    if !options.metadata.isEmpty { writer.add("metadata", options.metadata) }
  }

  /// Decodes and checks a request body. Throws a ``JSONError`` that points to the invalid field.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    self = try PresentationRequest(accepted: json, at: pointer).normalized(at: pointer)
  }

  /// Decodes a request without checking it: one that was accepted before, or that ``ValidRequest`` checks next.
  package init(accepted json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    self.init(kind: try reader.required("kind"))
    title = try reader.string("title")
    message = try reader.string("message")
    messageFormat = try reader("messageFormat") ?? messageFormat
    attachments = try reader.objects("attachments", Attachment.init)
    act = try reader.object("act", Act.init)
    remember = try reader.object("remember", Remember.init)
    require = try reader.object("require", Requirement.init)
    titleVisibility = try reader("titleVisibility")
    buttons = try reader.objects("buttons", Button.init)
    suppressionToggle = try reader.string("suppressionToggle")
    sheet = try reader.string("sheet")
    payload = reader.any("payload")
    schema = try reader.object("schema", FormSchema.init(accepted:at:))
    options.app = try reader.string("app")
    options.surface = try reader.string("surface") ?? options.surface
    options.priority = try reader("priority") ?? options.priority
    options.conflictPolicy = try reader("conflictPolicy") ?? options.conflictPolicy
    options.timeout = try reader.duration("timeout")
    options.queueTimeout = try reader.duration("queueTimeout")
    options.shownTimeout = try reader.duration("shownTimeout")
    options.noPresenter = try reader("noPresenter") ?? options.noPresenter
    options.severity = try reader("severity") ?? options.severity
    options.dismissDisabled = try reader.bool("dismissDisabled") ?? options.dismissDisabled
    if let text = try reader.string("over") {
      guard let id = PresentationID(text) else { throw reader.error("must be the id of a presentation", at: "over") }
      options.over = id
    }
    flow = try reader.bool("flow") ?? flow
    options.sensitive = try reader.bool("sensitive") ?? options.sensitive
    onDismiss = try reader.object("onDismiss", CallbackAddress.init)
    if let pid = try reader.count("agent") {
      guard pid > 0, let agent = Int32(exactly: pid) else { throw reader.error("must be a process id", at: "agent") }
      self.agent = agent
    }
    options.metadata = try reader("metadata") ?? [:]
    try reader.finish()
  }
}

extension PresentationRequest.Button: Record {
  package static var schemaName: String { "PresentationButton" }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id, "The answer's value; unique among the buttons.", .schema("Name"))
    label =
      try f(
        "label", { $0.label as String? },
        "Label shown to the person (default: the id). Labels must differ in visible characters.",
        ["$ref": "#/components/schemas/Label", "minLength": 1]) ?? id
    role = try f("role", \.role)
    isDefault = try f(
      "isDefault", default: false, \.isDefault,
      "Whether Enter presses it. At most one button (default: the only one, else the first without a role, else the cancel button)."
    )
  }
}
