import Router

extension RouterError {
  /// The options of the fields that can be wrong.
  private static let options = [
    "app": "--app", "attachments": "--command or --diff", "message": "--message", "metadata": "--metadata", "over": "--over",
    "payload": "--payload", "priority": "--priority", "schema": "--schema or --field", "sensitive": "--sensitive",
    "sheet": "the name", "suppressionToggle": "--suppression-toggle", "surface": "--surface", "timeout": "--timeout",
    "title": "the title", "dismissDisabled": "--no-dismiss", "conflictPolicy": "--policy",
  ]

  /// The error with the option that set the field in place of its JSON Pointer.
  func naming(_ request: PresentationRequest, _ button: (PresentationRequest.Button) -> String) -> RouterError {
    guard let field else { return self }
    let parts = field.split(separator: "/").map(String.init)
    var option = parts.first.flatMap { Self.options[$0] }
    if parts.first == "buttons", parts.count > 1, let index = Int(parts[1]), request.buttons.indices.contains(index) {
      option = button(request.buttons[index])
    }
    guard let option else { return self }
    var copy = self
    copy.message = message.replacing(field.escapedForTerminal(), with: option)
    return copy
  }
}

extension PresentationRequest.Button {
  /// The option of `alert` that adds the button.
  var option: String {
    switch role {
    case .cancel: "--cancel"
    case .destructive: "--destructive"
    case nil: "--button"
    }
  }
}
