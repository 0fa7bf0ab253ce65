import OrderedCollections

extension PromptDescription {
  /// The ways in which the answer can be remembered, in words that come from the act and the kernel.
  package struct Remembering: Sendable, Hashable {
    package struct Choice<Value: Sendable & Hashable>: Sendable, Hashable {
      package let value: Value
      package let label: String
    }

    /// The ids of the buttons whose answer can be remembered.
    package let buttons: [String]
    package let widths: [Choice<GrantOffer.Width>]
    package let periods: [Choice<PresentationRequest.Remember.Period>]

    package init?(_ offer: GrantOffer?, _ act: Act?) {
      guard let offer, let act else { return nil }
      buttons = offer.buttons
      widths = offer.widths.map { Choice(value: $0, label: $0.words(of: act)) }
      periods = offer.periods.map { Choice(value: $0, label: $0.words(offer.anchor)) }
    }
  }
}

extension [PromptDescription.Block] {
  /// The blocks of an act: its object, its arguments, its environment and its files, each whole.
  init(_ act: Act) {
    self = []
    func add(_ label: String, _ text: String, isCommand: Bool = false) {
      append(
        PromptDescription.Block(
          PresentationRequest.Attachment(isCommand ? .command : .text, text, title: label), directory: act.directory))
      if let warning = last?.warning {
        append(PromptDescription.Block(kind: .paragraph, runs: [PromptDescription.Run(text: warning, styles: [.risk])]))
      }
    }
    let place = act.directory.map { " in \($0.escapedForTerminal())" } ?? ""
    let line = act.commandLine
    add(act.verb + place, act.object ?? line ?? "(nothing else)", isCommand: line != nil || act.object?.hasPrefix("/") != true)
    if let line, !act.isConsistent { add("Arguments", line) }
    if !act.environment.isEmpty {
      add("Environment", act.environment.map { "\($0)=\($1)".escapedForTerminal() }.joined(separator: "\n"))
    }
    for (isReopened, label) in [
      (false, "Files, with the SHA-256 of their content"),
      (true, "Files that the command opens again by name, with the SHA-256 of their content before that"),
    ] {
      let files = act.files.filter { $0.isReopened == isReopened }
      guard !files.isEmpty else { continue }
      add(
        label, files.map { "\($0.path.escapedForTerminal()) (\($0.bytes) bytes)\n\($0.sha256)" }.joined(separator: "\n"))
    }
    switch act.execution {
    case .sealed: add("Executed", "a sealed copy of the script")
    case .path:
      let caution = PromptDescription.Run(
        text: "The program may change until it starts: its path is executed.", styles: [.risk])
      append(PromptDescription.Block(kind: .paragraph, runs: [caution]))
    case nil: break
    }
  }
}

extension PromptDescription.Remembering: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("buttons", buttons)
    writer.add("match", widths)
    writer.add("for", periods)
  }
}

extension PromptDescription.Remembering.Choice: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    switch value {
    case let width as GrantOffer.Width: width.addMembers(to: &writer)
    case let period as PresentationRequest.Remember.Period: writer.add("for", period.json)
    default: break
    }
    writer.add("label", label)
  }
}
