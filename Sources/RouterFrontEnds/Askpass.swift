import ArgumentParser
import Glibc
import Router

/// `routerctl askpass`, or `router-askpass`: an askpass program for ssh, sudo and git.
struct Askpass: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "askpass",
    abstract: "Ask for passwords and confirmations for ssh, sudo and git.",
    discussion: """
      Prints the answer, or exits with 1. Set SSH_ASKPASS, SUDO_ASKPASS or GIT_ASKPASS to the path of the link router-askpass,
      and SSH_ASKPASS_REQUIRE to force. Set them for ssh-agent too.

      ENVIRONMENT
        ROUTER_TIMEOUT            seconds to wait for an answer (default: 300)
        ROUTER_ASKPASS_FALLBACK   program to run if there is no daemon or presenter

      EXAMPLES
        routerctl askpass 'Password: '
        SUDO_ASKPASS=~/.local/lib/router/compat/router-askpass sudo -A true
      """)
  static let links = ["router-askpass"]

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  /// The maximum answer length of ssh and sudo, in bytes.
  private static let maximumBytes = 1023

  static func run(_ arguments: [String]) async -> Int32 {
    let callers = ProcessAncestry(of: getppid()).processes
    let words = callers.flatMap { $0.arguments ?? [] }
    let text = arguments.joined(separator: " ").withoutUsers(exceptIn: words)
    let question = Question(text, hint: environmentVariable("SSH_ASKPASS_PROMPT"))
    var frontEnd = FrontEnd()
    frontEnd.waitsForPresenter = true
    var request = question.request
    let session = AgentSession.above(getpid())
    if let session { request.setSession(session) }
    // sudo asks on its own behalf here, rather than for the program that it runs. Any process can take the name, but only sudo is root.
    if let sudo = callers.first, let status = ProcessStatus(sudo.pid), status.name == "sudo", status.uid == 0 {
      request.app = "sudo"
      let command = sudo.arguments.map { $0.map(\.shellQuoted).joined(separator: " ").exact }
      request.attachments.append(
        PresentationRequest.Attachment(.command, command ?? "(too long to be shown)", title: "Command"))
    }
    switch await frontEnd.ask(request) {
    case .answered(let answer, _):
      if session != nil, let why = PresentationRequest.refusal(in: answer) { return deny(why) }
      guard let line = question.line(for: answer) else { return 0 }
      guard line.utf8.count <= maximumBytes, !line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
        FrontEnd.warn("router-askpass", "the answer is longer than \(maximumBytes) bytes, or contains a control character")
        return 1
      }
      StandardStream.output.line(line)
      return 0
    case .unavailable(let reason, _):
      if let fallback = environmentVariable("ROUTER_ASKPASS_FALLBACK") { RealProgram.execute(fallback, arguments) }
      FrontEnd.warn("router-askpass", reason)
      return 1
    case .expired:
      FrontEnd.warn("router-askpass", "nobody answered in time")
      return 1
    case .declined(let presentation), .dismissed(let presentation):
      return session == nil && presentation.comment == nil ? 1 : deny(presentation.comment)
    case .withdrawn: return 1
    }
  }

  /// Prints why the person denied, which the model of an agent reads in the output of its command.
  private static func deny(_ why: String?) -> Int32 {
    FrontEnd.warn("router-askpass", "the user denied this" + (why.map { ": \($0)" } ?? ""))
    return 1
  }

  /// The kind of question, by `SSH_ASKPASS_PROMPT` and the beginning of the program's text.
  enum Question: Equatable {
    /// A yes/no question, answered by the exit status.
    case confirm(String)
    /// A notice to show while ssh waits, for example for the touch of a security key. ssh ends it with SIGTERM.
    case notice(String)
    /// A host key check: the answer is `yes`, `no` or the fingerprint.
    case hostKey(String)
    case line(String, AskedAnswer)

    init(_ text: String, hint: String?) {
      self =
        switch hint {
        case "confirm": .confirm(text)
        case "none": .notice(text)
        case _ where Self.hostKeyTexts.contains(where: { text.begins(with: $0) }): .hostKey(text)
        default: .line(text, AskedAnswer(to: text))
        }
    }

    private static let hostKeyTexts = [
      "The authenticity of host '", "Are you sure you want to continue connecting (yes/no", "Please type 'yes'",
      "Accept updated hostkeys? (yes/no)",
    ]

    /// The request. Typed answers are always sensitive, even if they are echoed.
    var request: PresentationRequest {
      var request: PresentationRequest
      let asked: String
      switch self {
      case .confirm(let text):
        asked = text
        // ssh-agent blocks its other clients during the question.
        request = PresentationRequest(
          kind: .alert,
          buttons: [
            PresentationRequest.Button(id: "allow", label: "Allow"),
            PresentationRequest.Button(id: "deny", label: "Deny", role: .cancel),
          ],
          priority: .high)
      case .notice(let text):
        asked = text
        request = PresentationRequest(
          kind: .alert, buttons: [PresentationRequest.Button(id: "ok", label: "OK")], priority: .high)
      case .hostKey(let text):
        asked = text
        request = PresentationRequest(
          kind: .sheet, sheet: "host-key",
          schema: FormSchema(properties: [
            FormSchema.Property(
              name: "answer", kind: .string, title: "Is this the right key?", isRequired: true, defaultValue: "no",
              choices: ["yes", "no"]),
            FormSchema.Property(
              name: "fingerprint", kind: .string, title: "Fingerprint",
              description: "Enter the expected fingerprint, if known; ssh compares it.", minimumLength: 0,
              maximumLength: Askpass.maximumBytes),
          ]),
          sensitive: true)
      case .line(let text, let answer):
        asked = text
        let field = FormSchema.Property(
          name: "answer", kind: .string, title: answer.label, minimumLength: 0, maximumLength: Askpass.maximumBytes,
          format: answer.isSecret ? .password : nil)
        request = PresentationRequest(
          kind: .sheet, sheet: "askpass", schema: FormSchema(properties: [field]), sensitive: true)
      }
      request.setText(asked, title: "Password")
      request.timeout = FrontEnd.timeout
      return request
    }

    /// Returns the line to print for an answer; `nil` for nothing.
    func line(for answer: PresentationAnswer) -> String? {
      guard case .value(let value) = answer else { return nil }
      if case .hostKey = self, let fingerprint = value["fingerprint"]?.string, !fingerprint.isEmpty { return fingerprint }
      return value["answer"]?.string ?? ""
    }
  }
}
