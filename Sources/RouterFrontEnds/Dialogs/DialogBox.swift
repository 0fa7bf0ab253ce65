import Router

/// A box of zenity, whiptail or dialog: text, fields and buttons. Texts preserve bytes that are not UTF-8
/// (``Swift/String/init(keeping:)``), for output to scripts.
struct DialogBox: Sendable {
  enum Button: Sendable, Hashable {
    case ok, cancel, help
    case extra(Int)

    var id: String {
      switch self {
      case .ok: "ok"
      case .cancel: "cancel"
      case .help: "help"
      case .extra(let index): "extra\(index)"
      }
    }
  }

  enum Field: Sendable, Hashable {
    case text(String, default: String = "", limit: Int? = nil, hint: String? = nil)
    /// A secret. Its default is not shown, since secrets are never recorded; an empty field is answered with the default.
    case secret(String, default: String = "")
    case number(String, default: Int, range: ClosedRange<Int>)
    case date(String, default: String)
    case choice(String, [String], default: Int? = nil, isRequired: Bool = false)
    /// A row of a checklist. The rows are shown as one field.
    case check(String, Bool)
  }

  /// The value of a field in an answer.
  enum Value: Sendable, Hashable {
    case text(String)
    /// The index of a choice.
    case row(Int?)
    case check(Bool)

    var text: String { if case .text(let text) = self { text } else { "" } }
    var row: Int? { if case .row(let row) = self { row } else { nil } }
    var isOn: Bool { self == .check(true) }
  }

  /// The outcome of a box.
  enum Result: Sendable, Hashable {
    case pressed(Button, [Value])
    /// Closed with a key such as Esc, or by closing the window.
    case closed
    case expired, withdrawn
    case unavailable(String)

    /// The reason why the box could not be shown.
    var reason: String { if case .unavailable(let reason) = self { reason } else { "" } }
  }

  var title = ""
  var text = ""
  var fields: [Field] = []
  /// The buttons and their labels, in order.
  var buttons: [(Button, String)] = []
  /// The button that Enter presses, if the caller chose one.
  var defaultButton: Button?
  var timeout: Duration?
}

extension DialogBox {
  /// The rows of a menu as buttons, so that one press chooses; `nil` if the box cannot use buttons.
  private var rowButtons: [String]? {
    guard fields.count == 1, case .choice(_, let rows, default: nil, _) = fields[0], rows.count < 64,
      buttons.allSatisfy({ $0.0 == .ok || $0.0 == .cancel })
    else { return nil }
    return rows
  }

  /// The rows of a checklist as one field; `nil` for other boxes.
  private var checklist: FormSchema.Property? {
    let rows = fields.compactMap { if case .check(let label, let isOn) = $0 { (label, isOn) } else { nil } }
    guard !rows.isEmpty, rows.count == fields.count else { return nil }
    let labels = rows.map(\.0).distinctLabels.map(JSONValue.string)
    let isOn = zip(labels, rows).filter { $1.1 }.map(\.0)
    return FormSchema.Property(
      name: "f", kind: .array, title: "Choices", isRequired: true, defaultValue: .array(isOn), choices: labels)
  }

  /// The values of a form's fields.
  private func values(_ value: JSONValue) -> [Value] {
    guard let checklist else { return fields.enumerated().map { $1.value(value["f\($0)"]) } }
    let chosen = Set(value[checklist.name]?.array ?? [])
    return (checklist.choices ?? []).map { .check(chosen.contains($0)) }
  }

  /// The buttons in addition to a form's own: OK, and closing, which means cancel.
  private var otherButtons: [(Button, String)] { buttons.filter { $0.0 != .ok && $0.0 != .cancel } }

  /// The choices of the field that replaces the other buttons.
  private var pressable: [(Button, String)] { buttons.filter { $0.0 != .cancel } }

  /// Returns the box as a request: an alert if it has only buttons, a confirmation dialog for a menu, otherwise a form.
  func request(from program: String) -> PresentationRequest {
    var request = PresentationRequest(kind: .alert, shownTimeout: timeout)
    var text = text
    if fields.isEmpty {
      request.buttons = wireButtons(buttons.map { ($0.0.id, $0.1, $0.0 == .cancel) })
    } else if let rows = rowButtons {
      request.kind = .confirmationDialog
      let cancel = buttons.filter { $0.0 == .cancel }.map { ($0.0.id, $0.1, true) }
      request.buttons = wireButtons(rows.enumerated().map { ("r\($0)", $1, false) } + cancel)
    } else {
      request.kind = .sheet
      request.sheet = program
      var properties = checklist.map { [$0] } ?? fields.enumerated().map { $1.property(name: "f\($0)") }
      if !otherButtons.isEmpty {
        let labels = pressable.map(\.1)
        properties.append(
          Field.choice("Button", labels, default: pressable.firstIndex { $0.0 == .ok } ?? 0).property(name: "b"))
      }
      request.schema = FormSchema(properties: properties)
      if let cancel = buttons.first(where: { $0.0 == .cancel })?.1, cancel != "Cancel" {
        text += (text.isEmpty ? "" : "\n") + "(To choose \"\(cancel)\", close this form.)"
      }
    }
    let heading = title.split(whereSeparator: \.isNewline).joined(separator: " ")
    request.setText(heading.isEmpty ? text : heading + "\n" + text, title: program)
    return request
  }

  private func wireButtons(_ buttons: [(id: String, label: String, isCancel: Bool)]) -> [PresentationRequest.Button] {
    zip(buttons, buttons.map(\.label).distinctLabels).map { button, label in
      PresentationRequest.Button(
        id: button.id, label: label, role: button.isCancel ? .cancel : nil, isDefault: button.id == defaultButton?.id)
    }
  }

  /// Reads the outcome of ``request(from:)``.
  func result(_ outcome: FrontEndOutcome) -> Result {
    switch outcome {
    case .answered(.button(let id), _):
      if let (button, _) = buttons.first(where: { $0.0.id == id }) { return .pressed(button, []) }
      return .pressed(.ok, [.row(Int(id.dropFirst()))])
    case .answered(.value(let value), _):
      let values = values(value)
      guard !otherButtons.isEmpty else { return .pressed(.ok, values) }
      let index = pressable.map(\.1).distinctLabels.firstIndex { .string($0) == value["b"] }
      return .pressed(index.map { pressable[$0].0 } ?? .ok, values)
    case .answered(.redacted, _): return .unavailable("the answer was lost")
    case .declined: return .pressed(.cancel, [])
    case .dismissed(let presentation):
      // A form has no cancel button: closing the form means cancel.
      let hasCancel = buttons.contains { $0.0 == .cancel }
      return hasCancel && !presentation.request.kind.hasButtons ? .pressed(.cancel, []) : .closed
    case .expired: return .expired
    case .withdrawn: return .withdrawn
    case .unavailable(let reason, _): return .unavailable(reason)
    }
  }
}

extension DialogBox.Field {
  /// Returns the field as a property of a form's schema.
  fileprivate func property(name: String) -> FormSchema.Property {
    var property = FormSchema.Property(name: name, kind: .string)
    switch self {
    case .text(let label, let start, let limit, let hint):
      property.title = label.asLabel
      property.description = hint?.showingKeptBytes.escapedForTerminal()
      property.defaultValue = start.isEmpty ? nil : .string(start.showingKeptBytes)
      property.maximumLength = limit
    case .secret(let label, let start):
      property.title = label.asLabel
      property.description = start.isEmpty ? nil : "Leave it empty to keep the current value."
      property.format = .password
    case .number(let label, let start, let range):
      property.kind = .integer
      property.title = label.asLabel
      property.isRequired = true
      property.defaultValue = .integer(start)
      (property.minimum, property.maximum) = (JSONValue.Number(range.lowerBound), JSONValue.Number(range.upperBound))
    case .date(let label, let start):
      property.title = label.asLabel
      property.isRequired = true
      property.defaultValue = .string(start)
      property.format = .date
    case .choice(let label, let rows, let start, let isRequired):
      property.isRequired = isRequired
      property.title = label.asLabel
      let labels = rows.distinctLabels
      property.choices = labels.map { .string($0) }
      property.defaultValue = start.flatMap { labels.indices.contains($0) ? .string(labels[$0]) : nil }
    case .check: break
    }
    return property
  }

  /// The field's value without changes by the person.
  var untouched: DialogBox.Value {
    switch self {
    case .text(_, let start, _, _), .secret(_, let start), .date(_, let start): .text(start)
    case .number(_, let start, _): .text(String(start))
    case .choice(_, _, let start, _): .row(start)
    case .check(_, let isOn): .check(isOn)
    }
  }

  fileprivate func value(_ value: JSONValue?) -> DialogBox.Value {
    switch self {
    // An unchanged value keeps its bytes.
    case .text(_, let start, _, _) where value?.string?.isSame(as: start.showingKeptBytes) == true: untouched
    case .text, .date: .text(String(keeping: (value?.string ?? "").utf8))
    case .secret: value?.string.map { .text(String(keeping: $0.utf8)) } ?? untouched
    case .number: value?.number.map { .text($0.literal) } ?? untouched
    case .choice(_, let rows, _, _): .row(rows.distinctLabels.firstIndex { .string($0) == value })
    case .check: untouched
    }
  }
}
