import Router

extension RouterError {
  /// The options that set the fields of a request.
  private static let options = [
    "app": "--app", "attachments": "--command or --diff", "message": "--message", "metadata": "--metadata", "over": "--over",
    "payload": "--payload", "priority": "--priority", "schema": "--schema or --field", "sensitive": "--sensitive",
    "sheet": "the name", "surface": "--surface", "timeout": "--timeout",
    "title": "the title", "dismissDisabled": "--no-dismiss", "hasAnswer": "--no-answer", "conflictPolicy": "--policy",
  ]

  /// Returns the error with the field's option in place of its JSON Pointer.
  func naming(_ request: PresentationRequest, _ button: (PresentationRequest.Button) -> String) -> RouterError {
    guard let field else { return self }
    let parts = field.split(at: "/").map(String.init)
    var option = parts.first.flatMap { Self.options[$0] }
    if parts.first == "buttons", parts.count > 1, let index = Int(parts[1]), request.buttons.indices.contains(index) {
      option = button(request.buttons[index])
    }
    return option.map { naming($0) } ?? self
  }

  /// Returns the error with an option in place of the JSON Pointer of its field.
  private func naming(_ option: String) -> RouterError {
    var copy = self
    if let field { copy.message = message.replacing(field.escapedForTerminal(), with: option) }
    return copy
  }

  /// Sends a request with options named like the request's members.
  static func namingOptions<Value>(_ send: () async throws -> Value) async throws -> Value {
    do {
      return try await send()
    } catch let error as RouterError {
      guard let field = error.field, let name = field.split(at: "/").first, field.utf8.count == name.utf8.count + 1 else {
        throw error
      }
      throw error.naming("--\(name)")
    }
  }
}

extension PresentationRequest.Button {
  /// The option of `alert` for the button.
  var option: String {
    switch role {
    case .cancel: "--cancel"
    case .destructive: "--destructive"
    case nil: "--button"
    }
  }
}
