package import OrderedCollections

extension PresentationRequest: Record {
  package static var about: String { "A request." }
  package static var conditions: OrderedDictionary<String, JSONValue> {
    [
      "dependentRequired": ["remember": ["act"]],
      "dependentSchemas": [
        "require": ["properties": ["remember": false, "over": false]]
      ],
      "allOf": [
        [
          "if": ["properties": ["kind": ["enum": ["alert", "confirmationDialog"]]]],
          "then": [
            "required": ["title"],
            "properties": [
              "title": ["pattern": "\\S"], "sheet": false, "payload": false, "schema": false, "hasAnswer": ["const": true],
              "flow": ["const": false],
            ],
          ], "else": ["properties": ["buttons": ["maxItems": 0], "remember": false]],
        ],
        [
          "if": ["required": ["hasAnswer"], "properties": ["hasAnswer": ["const": false]]],
          "then": [
            "properties": ["schema": false, "flow": ["const": false], "act": false, "dismissDisabled": ["const": false]]
          ],
        ],
        [
          "if": ["properties": ["kind": ["const": "confirmationDialog"]]],
          "then": ["required": ["buttons"], "properties": ["buttons": ["minItems": 1]]],
          "else": ["properties": ["titleVisibility": false]],
        ],
      ],
    ]
  }

  /// The request as a body of the HTTP API. Omits defaults, except `surface`, `priority` and `conflictPolicy`.
  public var json: JSONValue { jsonText.value }

  /// Decodes and checks a request body. Throws a ``JSONError`` that points to the invalid field.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    self = try PresentationRequest(accepted: json, at: pointer).normalized(at: pointer)
  }

  /// Decodes a request without checking it, because it was accepted before or ``ValidRequest`` checks it next.
  package init(accepted json: JSONValue, at pointer: String = "") throws(JSONError) {
    try self.init(record: json, at: pointer)
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    self.init(kind: try f("kind", \.kind))
    title = try f(
      "title", \.title, "Title. Alerts and confirmation dialogs need one with more than white space.", .schema("Title"))
    titleVisibility = try f("titleVisibility", \.titleVisibility, "For confirmation dialogs.")
    message = try f("message", \.message, "", .schema("Message"))
    messageFormat = try f(
      "messageFormat", default: .plain, \.messageFormat,
      "Markdown is a subset: paragraphs, headings, lists, fenced code, emphasis, and links with their address in full. Line breaks are kept; HTML and images are text."
    )
    attachments = try f(
      "attachments", default: [], \.attachments,
      "Commands and unified diffs, shown in full. Characters that cannot be seen or that turn the direction of others are marked. Together at most 262144 bytes of text.",
      ["type": "array", "maxItems": 8, "items": Attachment.schema])
    act = try f("act", \.act)
    remember = try f("remember", \.remember)
    require = try f("require", \.require)
    buttons = try f(
      "buttons", default: [], \.buttons,
      "For alerts (at most 64) and confirmation dialogs. An alert without buttons gets one, ok.",
      ["type": "array", "maxItems": 10000, "items": Button.schema])
    suppressionToggle = try f(earlier: "suppressionToggle", \.suppressionToggle)
    sheet = try f("sheet", \.sheet, "The name of a sheet or a cover, such as contact.", .schema("Name"))
    payload = try f(
      orAny: "payload", \.payload, "For sheets and covers: any JSON, for a presenter that knows the sheet.")
    schema = try f(
      "schema", { $0.schema.map(AcceptedForm.init) },
      "The fields of a sheet or a cover. Without a schema, any JSON value is an answer."
    )?.form
    hasAnswer = try f(
      "hasAnswer", default: true, \.hasAnswer,
      "False for a sheet or a cover without an answer: it is shown with its title and message, an answer is refused (422), and it ends as dismissed when a person closes it."
    )
    options.app = try f(
      "app", \.options.app,
      "Application name shown to the person (default: the calling program or script: the nearest ancestor that is not routerctl, a shell without a script or a service manager).",
      .schema("Name"))
    options.surface = try f("surface", ifAbsent: "main", \.options.surface, "The surface to ask on.", .schema("Name"))
    options.priority = try f("priority", ifAbsent: .normal, \.options.priority)
    options.conflictPolicy = try f("conflictPolicy", ifAbsent: .enqueue, \.options.conflictPolicy)
    options.timeout = try f(
      "timeout", { $0.options.timeout.map(TimeLimit.init) }, "Time from the request until it expires, shown or not."
    )?.duration
    options.queueTimeout = try f(
      "queueTimeout", { $0.options.queueTimeout.map(TimeLimit.init) }, "Maximum time until it is first shown."
    )?.duration
    options.shownTimeout = try f(
      "shownTimeout", { $0.options.shownTimeout.map(TimeLimit.init) },
      "Maximum time shown, not counting time without a presenter. In a flow it restarts after each answer."
    )?.duration
    options.noPresenter = try f("noPresenter", default: .wait, \.options.noPresenter)
    options.severity = try f("severity", default: .standard, \.options.severity)
    options.dismissDisabled = try f(
      "dismissDisabled", default: false, \.options.dismissDisabled,
      "Whether a person must answer: a dismissal is refused (422). It can still expire or be canceled. Needs buttons or a schema."
    )
    let over = try f(
      "over", { $0.options.over?.description },
      "The open presentation of the same user, on the same surface, to stack this one on. The lower one is covered meanwhile and shown again afterwards; when it ends, those on it end first as cancelled, parentEnded. 422 if there is none, or too many are stacked.",
      PresentationID.schema)
    options.over = over.flatMap { PresentationID($0) }
    flow = try f(
      "flow", default: false, \.flow,
      "Makes a sheet or a cover the root (without over) or a screen (over another of the same flow) of a flow. It requires an event stream (else 422), cannot be detached, and stays after an answer, as a new generation. Screens stack without a limit. Dismissing a screen goes back; dismissing the root leaves the flow."
    )
    options.sensitive = try f(
      "sensitive", default: false, \.options.sensitive,
      "Only the requester's own response or stream carries the answer, which is never stored. Implied by a field with the format password. Cannot be detached (422)."
    )
    onDismiss = try f(
      "onDismiss", \.onDismiss,
      "A callback: POST with the resolved presentation, whatever its outcome, retried until it is accepted (2xx) or attempts run out. Delivered at least once; deduplicate by the presentation's id. A reply of more than 64 KB, or with more than 16 interim responses, fails the attempt."
    )
    let pid = try f(
      "agent", { $0.agent.map { Int($0) } },
      "The pid of the agent that the request is for: the requesting process or one of its ancestors, of the same user, and not process 1 (otherwise 400). In a container, send the pid that the container sees; responses have the daemon's pid. The agent and its descendants may dismiss the prompt. Their attempts to answer, fail, cancel, finish or supersede it are refused and, except for superseding, recorded. Only the requesting process may cancel or finish it.",
      ["type": "integer", "minimum": 1, "maximum": .integer(Int(Int32.max))])
    agent = pid.flatMap { Int32(exactly: $0) }
    options.metadata = try f(
      "metadata", default: [:], \.options.metadata, "Labels of the requester's choice.",
      [
        "type": "object", "maxProperties": 64, "propertyNames": .schema("Label"), "additionalProperties": .schema("Message"),
      ])
    try f.check(over == nil || options.over != nil, "must be the id of a prompt", at: "over")
    try f.check(pid.map { $0 > 0 && Int32(exactly: $0) != nil } ?? true, "must be a process id", at: "agent")
  }
}

/// A request that is not checked when decoded.
struct AcceptedRequest: SampledPart {
  static var schema: JSONValue { PresentationRequest.schema }
  static var sample: Self { Self(request: .sample) }

  let request: PresentationRequest

  init(request: PresentationRequest) { self.request = request }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    request = try PresentationRequest(accepted: json, at: pointer)
  }

  func write(to writer: inout JSONWriter) { request.write(to: &writer) }
}

/// A form that is not checked when decoded.
private struct AcceptedForm: JSONPart {
  static var schema: JSONValue { .schema("FormSchema") }

  let form: FormSchema

  init(form: FormSchema) { self.form = form }

  init(json: JSONValue, at pointer: String) throws(JSONError) { form = try FormSchema(accepted: json, at: pointer) }

  func write(to writer: inout JSONWriter) { writer.add(part: form.json) }
}

/// A time limit: more than zero, and at most ten years.
private struct TimeLimit: JSONPart {
  static var schema: JSONValue { .schema("Seconds") }

  let duration: Duration

  init(duration: Duration) { self.duration = duration }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    _ = try Double(json: json, at: pointer)
    guard let duration = json.number.flatMap(Duration.init(jsonSeconds:)) else {
      throw JSONError("must be more than 0 and at most 315360000 seconds", at: pointer)
    }
    self.duration = duration
  }

  func write(to writer: inout JSONWriter) { duration.write(to: &writer) }
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
