import ArgumentParser
import Router
import RouterCommandLine

/// The server side of one pinentry session with gpg-agent: a state machine without I/O. Each input line and question outcome
/// returns the next step.
struct PinentrySession: Sendable {
  enum Step: Sendable {
    /// Write these lines and read the next one.
    case reply(SecretBytes)
    /// Write these lines and exit.
    case leave(SecretBytes)
    /// Ask, and continue with ``receive(_:)-(FrontEndOutcome)``.
    case ask(PresentationRequest)
  }

  private enum Phase {
    case idle
    case askingPassphrase
    case confirming(isNotice: Bool)
    /// Waiting for gpg-agent's quality check of a new passphrase; `objection` is its text so far.
    case checking(SecretBytes, objection: String?)
  }

  /// The decoded values of the `SET…` commands, by command.
  private(set) var settings: [String: String] = [:]
  /// The values of `OPTION`, by name.
  private(set) var options: [String: String] = [:]
  /// The value of `SETTIMEOUT`, otherwise of the option `--timeout`: seconds, 0 for no limit. RESET does not change it.
  private(set) var timeout: Int?
  private let pid: Int32
  private var phase = Phase.idle

  /// - Parameters:
  ///   - pid: The id of this process.
  ///   - userData: `$PINENTRY_USER_DATA`.
  ///   - arguments: The command line, which may also contain options.
  init(pid: Int32, userData: String? = nil, arguments: [String] = []) {
    self.pid = pid
    options = Self.options(in: arguments)
    timeout = options["timeout"].flatMap { Int($0) }
    options["pinentry-user-data"] = userData
  }

  var greeting: SecretBytes { SecretBytes("OK Pleased to meet you, process \(pid)\n") }

  /// The surface to ask on: `surface=NAME` in the user data.
  var surface: String {
    let words =
      options["pinentry-user-data"]?.unicodeScalars.split { " ,;".unicodeScalars.contains($0) }.map { Substring($0) } ?? []
    return words.compactMap { $0.rest(after: "surface=") }.first.map { String($0) } ?? "main"
  }

  /// The process that uses gpg-agent and its host: `PID/UID HOST`, or `PID HOST` before gpg-agent 2.4.
  var owner: (pid: Int32, host: String)? {
    let words = options["owner"]?.split(at: " ") ?? []
    guard words.count == 2, let pid = words[0].split(at: "/").first.flatMap({ Int32($0) }), pid > 0 else { return nil }
    return (pid, String(words[1]))
  }

  // MARK: Lines

  mutating func receive(_ line: Assuan.Line) -> Step {
    guard case .text(let text) = line else { return reply(.lineTooLong) }
    if text.isEmpty || text.begins(with: "#") { return .reply(SecretBytes()) }
    let command = text.unicodeScalars.prefix { $0 != " " && $0 != "\t" }
    guard !command.isEmpty else { return reply(.syntax) }
    let argument = String(text.unicodeScalars[command.endIndex...].drop { $0 == " " || $0 == "\t" })
    let name = String(command).uppercased()
    if case .checking(let passphrase, let objection) = phase {
      return receive(name, argument, checking: passphrase, objection)
    }
    return perform(name, argument)
  }

  private mutating func perform(_ name: String, _ argument: String) -> Step {
    switch name {
    case "GETPIN":
      phase = .askingPassphrase
      return .ask(passphraseRequest())
    case "CONFIRM", "MESSAGE":
      let isNotice = name == "MESSAGE" || argument.contains("--one-button")
      phase = .confirming(isNotice: isNotice)
      return .ask(confirmationRequest(isNotice: isNotice))
    case "OPTION": return setOption(argument)
    case "GETINFO": return info(argument)
    case "CLEARPASSPHRASE": return argument.isEmpty ? reply(.invalidValue) : ok
    case "RESET":
      settings = [:]
      return ok
    case "NOP": return ok
    case "BYE": return .leave(SecretBytes("OK closing connection\n"))
    case "HELP": return lines(Self.commands.map { "# " + $0 } + ["OK"])
    case "D", "END", "CAN": return reply(.unexpectedCommand)
    case _ where Self.setters.contains(name):
      settings[name] = Assuan.decoded(argument)
      if name == "SETTIMEOUT" { timeout = Int(argument) }
      return ok
    default: return reply(.unknownCommand)
    }
  }

  private static let setters = [
    "SETDESC", "SETPROMPT", "SETTITLE", "SETERROR", "SETOK", "SETNOTOK", "SETCANCEL", "SETKEYINFO", "SETREPEAT",
    "SETREPEATERROR", "SETREPEATOK", "SETQUALITYBAR", "SETQUALITYBAR_TT", "SETGENPIN", "SETGENPIN_TT", "SETTIMEOUT",
  ]
  private static let commands =
    setters + ["GETPIN", "CONFIRM", "MESSAGE", "GETINFO", "CLEARPASSPHRASE", "OPTION", "RESET", "NOP", "HELP", "BYE"]

  /// pinentry's options. Most affect only appearance; gpg-agent gives up if certain ones fail.
  private static let knownOptions: Set = [
    "grab", "no-grab", "debug-wait", "display", "ttyname", "ttytype", "ttyalert", "lc-ctype", "lc-messages", "owner",
    "parent-wid", "touch-file", "invisible-char", "allow-external-password-cache", "allow-emacs-prompt", "formatted-passphrase",
    "formatted-passphrase-hint", "constraints-enforce", "constraints-hint-short", "constraints-hint-long",
    "constraints-error-title", "pinentry-user-data", "default-ok", "default-cancel", "default-yes", "default-no",
    "default-prompt", "default-pwmngr", "default-cf-visi", "default-tt-visi", "default-tt-hide", "default-capshint",
  ]

  /// The short forms of command line options with a value.
  private static let valueOptions: KeyValuePairs = [
    "D": "display", "T": "ttyname", "N": "ttytype", "C": "lc-ctype", "M": "lc-messages", "o": "timeout", "W": "parent-wid",
    "c": "colors", "a": "ttyalert",
  ]

  /// Parses the options of a command line: `--timeout 30`, `--timeout=30`, `-o 30` or `-o30`. Ignores unknown options, since
  /// gpg-agent would otherwise have no pinentry.
  private static func options(in arguments: [String]) -> [String: String] {
    var (options, rest) = ([String: String](), arguments[...])
    while let argument = rest.popFirst() {
      for (letter, name) in valueOptions {
        if argument == "--" + name || argument == "-" + letter {
          options[name] = rest.popFirst()
          break
        } else if let value = argument.rest(after: "--\(name)=") ?? argument.rest(after: "-" + letter) {
          options[name] = String(value)
          break
        }
      }
    }
    return options
  }

  /// `OPTION name`, `OPTION name=value` or `OPTION name value`; the name may begin with `--`.
  private mutating func setOption(_ argument: String) -> Step {
    let text = (argument.rest(after: "--") ?? argument[...]).unicodeScalars
    let word = text.prefix { $0 != "=" && $0 != " " }
    let name = String(word)
    guard !name.isEmpty else { return reply(.syntax) }
    guard Self.knownOptions.contains(name) else { return reply(.unknownOption) }
    var value = text[word.endIndex...].drop { $0 == " " }
    if value.first == "=" { value = value.dropFirst().drop { $0 == " " } }
    options[name] = name.begins(with: "constraints-") ? Assuan.decoded(Substring(value)) : String(value)
    return ok
  }

  private func info(_ what: String) -> Step {
    let data: String
    switch what {
    case "version": data = routerVersion
    case "flavor": data = "router"
    case "pid": data = String(pid)
    case "ttyinfo":
      let terminal = ["ttyname", "ttytype", "display"].map { options[$0].flatMap { $0.isEmpty ? nil : $0 } ?? "-" }
      let process = ProcessIdentity.current
      data = (terminal + ["-", "\(process.uid)/\(process.gid)", "-"]).joined(separator: " ")
    default: return reply(.parameter)
    }
    return lines(["D " + String(decoding: Assuan.encoded(data.utf8), as: UTF8.self), "OK"])
  }

  // MARK: Outcomes

  /// Continues after a question.
  mutating func receive(_ outcome: FrontEndOutcome) -> Step {
    defer { settings["SETERROR"] = nil }
    switch phase {
    case .askingPassphrase:
      guard case .answered(.value(let answer), _) = outcome else { return endPassphrase(with: refusal(outcome)) }
      return receive(passphrase: answer["passphrase"]?.string ?? "", repeated: answer["repeat"]?.string ?? "")
    case .confirming(let isNotice):
      phase = .idle
      let lines = isNotice ? refusal(ofNotice: outcome) : refusal(outcome)
      return self.lines(lines ?? ["OK"])
    case .idle, .checking: return reply(.unexpectedCommand)
    }
  }

  private mutating func receive(passphrase: String, repeated: String) -> Step {
    let isRepeated = settings["SETREPEAT"] != nil
    if isRepeated, !passphrase.isSame(as: repeated) {
      return askAgain(settings["SETREPEATERROR"] ?? "The passphrases do not match. Try again.")
    }
    if passphrase.utf8.count > Self.maximumPassphrase {
      return askAgain("The passphrase is too long: at most \(Self.maximumPassphrase) bytes. Try again.")
    }
    if passphrase.utf8.contains(0) { return askAgain("The passphrase must not contain a NUL character. Try again.") }
    if isRepeated, options["constraints-enforce"] != nil {
      phase = .checking(SecretBytes(passphrase), objection: nil)
      let line = SecretBytes("INQUIRE CHECKPIN ".utf8, Assuan.encoded(passphrase.utf8, plus: true), "\n".utf8)
      return .reply(line)
    }
    return send(SecretBytes(passphrase))
  }

  /// gpg-agent's limit, in bytes.
  static let maximumPassphrase = 255

  /// Processes a line of gpg-agent's reply to `INQUIRE CHECKPIN`: data lines give the reason for rejecting the passphrase.
  private mutating func receive(
    _ name: String, _ argument: String, checking passphrase: SecretBytes, _ objection: String?
  ) -> Step {
    switch name {
    case "D":
      phase = .checking(passphrase, objection: objection ?? Assuan.decoded(argument))
      return .reply(SecretBytes())
    case "END", "CAN", "ERR":
      guard let objection, !objection.isEmpty else { return send(passphrase) }
      return askAgain([options["constraints-error-title"], objection].compactMap(\.self).joined(separator: "\n"))
    default: return reply(.unexpectedCommand)
    }
  }

  private mutating func askAgain(_ error: String) -> Step {
    phase = .askingPassphrase
    settings["SETERROR"] = error
    let request = passphraseRequest()
    settings["SETERROR"] = nil
    return .ask(request)
  }

  private mutating func send(_ passphrase: SecretBytes) -> Step {
    let status = settings["SETREPEAT"] == nil ? "" : "S PIN_REPEATED\n"
    // An empty passphrase has no data line.
    let line = passphrase.withBytes { bytes in
      SecretBytes(
        status.utf8, (bytes.isEmpty ? "" : "D ").utf8, Assuan.encoded(bytes), (bytes.isEmpty ? "OK\n" : "\nOK\n").utf8)
    }
    _ = endPassphrase(with: nil)
    return .reply(line)
  }

  /// Ends a GETPIN and clears its settings.
  private mutating func endPassphrase(with lines: [String]?) -> Step {
    phase = .idle
    for name in ["SETERROR", "SETREPEAT", "SETQUALITYBAR", "SETGENPIN"] { settings[name] = nil }
    return self.lines(lines ?? ["OK"])
  }

  /// Returns the reply to an outcome other than "yes"; `nil` for "yes".
  private func refusal(_ outcome: FrontEndOutcome) -> [String]? {
    switch outcome {
    case .answered(.button("notok"), _): [Assuan.Failure.notConfirmed.line]
    case .answered: nil
    case .declined(let presentation):
      [presentation.outcome == .answered(.button("notok")) ? Assuan.Failure.notConfirmed.line : Assuan.Failure.canceled.line]
    // gpg-agent then also stops asking for the passphrases of other keys.
    case .dismissed: ["S BUTTON_INFO close", Assuan.Failure.canceled.line]
    case .expired: [Assuan.Failure.timeout.line]
    case .withdrawn: [Assuan.Failure.canceled.line]
    case .unavailable: [Assuan.Failure.noPinentry.line]
    }
  }

  /// Returns the reply to a notice, which any answer closes; `nil` for success.
  private func refusal(ofNotice outcome: FrontEndOutcome) -> [String]? {
    if case .dismissed = outcome { ["S BUTTON_INFO close", "OK"] } else { refusal(outcome) }
  }

  // MARK: Replies

  private var ok: Step { lines(["OK"]) }

  private func reply(_ failure: Assuan.Failure) -> Step { lines([failure.line]) }

  private func lines(_ lines: [String]) -> Step { .reply(SecretBytes(lines.map { $0 + "\n" }.joined())) }
}
