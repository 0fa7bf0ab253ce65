import OrderedCollections
import Router

extension PinentrySession {
  /// Returns the form for GETPIN: a passphrase, and a repetition if it is new.
  func passphraseRequest() -> PresentationRequest {
    var request = request(.sheet, title: "A program asks for a passphrase")
    request.sheet = "pinentry"
    let prompt = text("SETPROMPT", default: "default-prompt")?.trimmingColon ?? ""
    let hint = options["constraints-hint-short"].flatMap(Self.visible)
    func field(_ name: String, _ label: String, description: String? = nil) -> FormSchema.Property {
      FormSchema.Property(
        name: name, kind: .string, title: label, description: description, minimumLength: 0,
        maximumLength: Self.maximumPassphrase, format: .password)
    }
    var fields = [field("passphrase", Self.label(prompt, or: "Passphrase"), description: hint)]
    if let again = settings["SETREPEAT"] { fields.append(field("repeat", Self.label(again.trimmingColon, or: "Repeat"))) }
    request.schema = FormSchema(properties: fields)
    request.sensitive = true
    return request
  }

  /// Returns the alert for CONFIRM, or for a notice.
  func confirmationRequest(isNotice: Bool) -> PresentationRequest {
    var request = request(.alert, title: isNotice ? "Message from a program" : "A program asks you to confirm")
    let ok = text("SETOK", default: "default-ok") ?? ""
    request.buttons = [PresentationRequest.Button(id: "ok", label: Self.label(ok.withoutMnemonic, or: "OK"))]
    if isNotice {
      // A notice stays until its caller removes it.
      (request.queueTimeout, request.timeout) = (nil, nil)
      return request
    }
    if let notOK = settings["SETNOTOK"] {
      add(PresentationRequest.Button(id: "notok", label: Self.label(notOK.withoutMnemonic, or: "No")), to: &request)
    }
    if settings["SETNOTOK"] == nil || settings["SETCANCEL"] != nil {
      let cancel = text("SETCANCEL", default: "default-cancel") ?? ""
      add(PresentationRequest.Button(id: "cancel", label: Self.label(cancel.withoutMnemonic, or: "Cancel")), to: &request)
    }
    request.buttons[request.buttons.count - 1].role = .cancel
    return request
  }

  /// Adds a button, and appends its id if its label is a duplicate: the daemon rejects indistinguishable buttons.
  private func add(_ button: PresentationRequest.Button, to request: inout PresentationRequest) {
    var button = button
    if request.buttons.contains(where: { $0.label == button.label }) { button.label += " (\(button.id))" }
    request.buttons.append(button)
  }

  private func request(_ kind: PresentationKind, title: String) -> PresentationRequest {
    var request = PresentationRequest(kind: kind, surface: surface, priority: .high)
    let description = settings["SETDESC"].flatMap { Self.visible($0) == nil ? nil : Self.joined($0) } ?? ""
    let heading = settings["SETTITLE"].flatMap(Self.visible)
    request.setText((heading.map { $0.replacing(each: "\n", with: " ") + "\n" } ?? "") + description, title: title)
    request.message = request.message.flatMap(Self.visible)
    if let error = settings["SETERROR"].flatMap(Self.visible) {
      request.message = [error, request.message].compactMap(\.self).joined(separator: "\n\n").cut(toBytes: 65_536)
    }
    if let key = settings["SETKEYINFO"].flatMap(Self.visible), key != "--clear" { request.metadata["keyinfo"] = key }
    // gpg-agent's other callers give up after a minute, so the prompt cannot be snoozed for longer.
    if let seconds = timeout {
      if seconds > 0 { request.timeout = .seconds(min(seconds, 315_360_000)) }
    } else {
      (request.queueTimeout, request.timeout) = (.seconds(45), FrontEnd.timeout)
    }
    return request
  }

  private func text(_ setting: String, default option: String) -> String? { settings[setting] ?? options[option] }

  /// Escapes a text for a request; `nil` if it has no visible characters.
  private static func visible(_ text: String) -> String? {
    // Protocol lines are much shorter than this limit, even when escaped.
    let text = text.escapedForTerminal(keepsNewlines: true).cut(toBytes: 16_384)
    return text.hasVisibleCharacter ? text : nil
  }

  /// Joins the first line with the next one if its sentence continues there, as in the request for a new key's passphrase.
  private static func joined(_ text: String) -> String {
    guard let end = text.firstIndex(of: "\n"), text[..<end].last?.isLetter == true,
      text[end...].dropFirst().first?.isLowercase == true
    else { return text }
    return text[..<end] + " " + text[end...].dropFirst()
  }

  private static func label(_ text: String, or other: String) -> String {
    visible(text.replacing(each: "\n", with: " "))?.cut(toBytes: 240) ?? other
  }
}

extension String {
  /// The label without a trailing colon.
  fileprivate var trimmingColon: String { ends(with: ":") ? String(unicodeScalars.dropLast()) : self }
}
