import OrderedCollections

extension PresentationRequest {
  /// Fills in derived values: an alert's `ok` button, and `sensitive` for a form with a secret. Converts line ends to LF.
  mutating func normalize() {
    message = message?.withUnixLineEnds
    schema?.useUnixLineEnds()
    if kind == .alert, buttons.isEmpty { buttons = [Button(id: "ok", label: "OK")] }
    if schema?.hasSecret == true { options.sensitive = true }
    act?.environment.sort { $0.key < $1.key }
    if require != nil { options.timeout = options.timeout ?? Requirement.defaultTimeout }
  }

  func normalized(at pointer: String = "") throws(JSONError) -> PresentationRequest {
    var request = self
    request.normalize()
    try request.check(at: pointer)
    return request
  }

  /// Checks that the request can be shown. Throws a ``JSONError`` that points to the invalid field.
  func check(at pointer: String = "") throws(JSONError) {
    try checkTexts(at: pointer)
    try checkButtons(at: pointer)
    func refuse(_ isThere: Bool, _ field: String) throws(JSONError) {
      if isThere { throw JSONError("is not supported for kind \(kind.rawValue)", at: pointer + "/" + field) }
    }
    if kind.hasButtons {
      if title == nil { throw JSONError("is missing", at: pointer + "/title") }
      try refuse(sheet != nil, "sheet")
      try refuse(payload != nil, "payload")
      try refuse(schema != nil, "schema")
      try refuse(flow, "flow")
    } else {
      try refuse(!buttons.isEmpty, "buttons")
    }
    if suppressionToggle != nil {
      throw JSONError("is no longer supported; use remember", at: pointer + "/suppressionToggle")
    }
    if !hasAnswer {
      try refuse(kind.hasButtons, "hasAnswer")
      for (field, isThere) in [("schema", schema != nil), ("flow", flow), ("act", act != nil)] where isThere {
        throw JSONError("is not supported for a request without an answer (hasAnswer)", at: pointer + "/" + field)
      }
    }
    if options.dismissDisabled, !kind.hasButtons, schema == nil {
      throw JSONError("needs buttons or a schema, so that it can be answered", at: pointer + "/dismissDisabled")
    }
    try refuse(titleVisibility != nil && kind != .confirmationDialog, "titleVisibility")
    var budget = FormBudget()
    try schema?.checkForm(at: pointer + "/schema", within: &budget)
    // The enclosing body adds one level.
    if payload?.isDeeper(than: JSONValue.maximumDepth - 1) == true {
      throw JSONError("more than \(JSONValue.maximumDepth) levels", at: pointer + "/payload")
    }
    try attachments.check(at: pointer + "/attachments")
    try act?.check(at: pointer + "/act")
    try remember?.check(with: self, at: pointer + "/remember")
    try require?.check(with: self, at: pointer + "/require")
    try checkTimes(at: pointer)
    try checkMetadata(at: pointer)
  }

  private func checkTimes(at pointer: String) throws(JSONError) {
    for (field, time) in [
      ("timeout", options.timeout), ("queueTimeout", options.queueTimeout), ("shownTimeout", options.shownTimeout),
    ] {
      guard let time else { continue }
      guard time > .zero, time <= .seconds(315_360_000) else {
        throw JSONError("must be more than 0 and at most 315360000 seconds", at: pointer + "/" + field)
      }
    }
  }

  private func checkTexts(at pointer: String) throws(JSONError) {
    if let title {
      if kind.hasButtons, title.allSatisfy(\.isWhitespace) { throw JSONError("must not be empty", at: pointer + "/title") }
      try TextRule.title.check(title, at: pointer + "/title")
    }
    if let message { try TextRule.message.check(message, at: pointer + "/message") }
    if let sheet { try TextRule.checkName(sheet, at: pointer + "/sheet") }
    if let app = options.app { try TextRule.checkName(app, at: pointer + "/app") }
    try TextRule.checkName(options.surface, at: pointer + "/surface")
  }

  private func checkButtons(at pointer: String) throws(JSONError) {
    let most = kind == .confirmationDialog ? 10_000 : 64
    guard buttons.count <= most else { throw JSONError("must have at most \(most) buttons", at: pointer + "/buttons") }
    var (ids, labels) = (Set<String>(minimumCapacity: buttons.count), Set<String>(minimumCapacity: buttons.count))
    for (index, button) in buttons.enumerated() {
      var place: String { pointer + "/buttons/\(index)" }
      try TextRule.checkName(button.id, at: place + "/id")
      guard !button.label.isEmpty else { throw JSONError("must not be empty", at: place + "/label") }
      try TextRule.label.check(button.label, at: place + "/label")
      guard ids.insert(button.id).inserted else {
        throw JSONError("duplicate button id \"\(button.id)\"", at: place + "/id")
      }
      guard labels.insert(button.label.asSeen).inserted else {
        throw JSONError("\"\(button.label.shortened)\" looks the same as another one", at: place + "/label")
      }
    }
    if let second = buttons.indices.filter({ buttons[$0].isDefault }).dropFirst().first {
      throw JSONError("another button is already the default", at: pointer + "/buttons/\(second)/isDefault")
    }
    if kind == .confirmationDialog, buttons.isEmpty {
      throw JSONError("a confirmation dialog must have a button", at: pointer + "/buttons")
    }
  }

  private func checkMetadata(at pointer: String) throws(JSONError) {
    guard options.metadata.count <= 64 else { throw JSONError("must have at most 64 labels", at: pointer + "/metadata") }
    for (name, value) in options.metadata {
      var place: String { pointer + "/metadata/" + JSONPointer.escape(name.shortened) }
      try TextRule.label.check(name, at: place)
      try TextRule.value.check(value, at: place)
    }
  }

  /// Checks a person's additions to an answer or a dismissal.
  func check(_ extra: AnswerExtra) throws(JSONError) {
    if extra.comment != nil, options.sensitive { throw JSONError("is not supported for a sensitive request", at: "/comment") }
    try extra.checkText()
  }

  /// Checks that an answer fits the request: the id of a button, or a value that is valid for the schema.
  func check(_ answer: PresentationAnswer) throws(JSONError) {
    switch answer {
    case _ where !hasAnswer: throw JSONError("this prompt has no answer; close it")
    case .button(let id):
      guard kind.hasButtons else { throw JSONError("this is answered with a value, not a button", at: "/button") }
      guard buttons.contains(where: { $0.id.isSame(as: id) }) else {
        let ids = buttons.prefix(64).map(\.id).joined(separator: ", ")
        throw JSONError("must be one of \(ids)\(buttons.count > 64 ? ", …" : "")", at: "/button")
      }
    case .value(let value):
      guard !kind.hasButtons else { throw JSONError("this is answered with a button, not a value", at: "/value") }
      guard !value.isDeeper(than: JSONValue.maximumDepth - 1) else {
        throw JSONError("more than \(JSONValue.maximumDepth) levels", at: "/value")
      }
      try schema?.check(value, at: "/value")
    case .redacted:
      throw JSONError("must be a button or a value")
    }
  }
}
