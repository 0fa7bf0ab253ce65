import OrderedCollections

extension PromptDescription {
  /// The options for remembering the answer, described from the act and the kernel's facts.
  package struct Remembering: Sendable, Hashable {
    package struct Width: Sendable, Hashable {
      package let value: GrantOffer.Width
      package let label: String
      /// What always covers, and what it is bound to; `nil` if it is not offered.
      package let always: String?
    }

    package struct Period: Sendable, Hashable {
      package let value: PresentationRequest.Remember.Period
      package let label: String
    }

    /// The ids of the buttons with answers that can be remembered.
    package let buttons: [String]
    package let widths: [Width]
    package let periods: [Period]
    /// The answer that a person keeps giving: `Allow: 3 times this week`.
    package let habit: String?

    /// - Parameter userName: The requester's user.
    package init?(_ offer: GrantOffer?, _ act: Act?, userName: String) {
      guard let offer, let act else { return nil }
      buttons = offer.buttons
      let hasAlways = offer.periods.contains(.always)
      widths = offer.widths.map {
        Width(
          value: $0, label: $0.words(of: act), always: hasAlways ? offer.alwaysWords($0, of: act, by: userName) : nil)
      }
      habit = offer.habit.map { "\($0.button): \($0.count) times this week" }
      periods = offer.periods.map { Period(value: $0, label: $0.words(offer.anchor)) }
    }
  }
}

extension Act {
  /// The parts of the act that a prompt shows in full: object, arguments, environment and files.
  fileprivate var shown: [PresentationRequest.Attachment] {
    let place = directory.map { " in \($0.escapedForTerminal())" } ?? ""
    let line = commandLine
    let isCommand = line != nil || object?.begins(with: "/") != true
    var texts = [
      PresentationRequest.Attachment(isCommand ? .command : .text, object ?? line ?? "(nothing else)", title: verb + place)
    ]
    func add(_ title: String, _ lines: [String]) {
      texts.append(PresentationRequest.Attachment(.text, lines.joined(separator: "\n"), title: title))
    }
    if let line, !isConsistent { add("Arguments", [line]) }
    if !environment.isEmpty { add("Environment", environment.map { "\($0)=\($1)".escapedForTerminal() }) }
    for (isReopened, label) in [
      (false, "Files, with the SHA-256 of their content"),
      (true, "Files that the command opens again by name, with the SHA-256 of their content before that"),
    ] {
      let files = files.filter { $0.isReopened == isReopened }
      guard !files.isEmpty else { continue }
      add(label, files.map { "\($0.path.escapedForTerminal()) (\($0.bytes) bytes)\n\($0.sha256)" })
    }
    return texts
  }

  /// The cautions that its prompt shows.
  var cautions: [String] {
    [steering].compactMap(\.self) + shown.flatMap { CommandRisk.Marks($0, directory: directory).cautions }
  }
}

extension [PromptDescription.Block] {
  /// The blocks of an act.
  init(_ act: Act) {
    self = []
    func caution(_ text: String) {
      append(PromptDescription.Block(kind: .paragraph, runs: [PromptDescription.Run(text: text, styles: [.risk])]))
    }
    for (index, text) in act.shown.enumerated() {
      let block = PromptDescription.Block(text, directory: act.directory)
      append(block)
      if index == 0, let steering = act.steering { caution("Look twice: \(steering.escapedForTerminal())") }
      if let warning = block.warning { caution(warning) }
    }
    switch act.execution {
    case .sealed:
      append(PromptDescription.Block(PresentationRequest.Attachment(.text, "a sealed copy of the script", title: "Executed")))
    case .path: caution("The program may change until it starts: its path is executed.")
    case nil: break
    }
  }
}
