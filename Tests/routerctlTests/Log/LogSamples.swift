import OrderedCollections
import Router

@testable import routerctl

extension UserNames {
  static let samples = UserNames { uid in uid == 1000 ? "ada" : nil }
}

extension OutputStyle {
  static func terminal(_ width: Int, hasColor: Bool = false) -> OutputStyle {
    OutputStyle(isTerminal: true, hasColor: hasColor, width: width)
  }
}

extension Presentation {
  static let asked = Timestamp("2026-11-21T07:00:00.000Z")!

  /// Returns a presentation requested at ``asked``, shown two seconds later and ended after another forty.
  static func sample(
    title: String = "Deploy 1.4.2?", app: String = "deploy", outcome: PresentationOutcome? = .answered(.button("deploy")),
    button: (id: String, label: String) = ("deploy", "Deploy")
  ) -> Presentation {
    let request = PresentationRequest(
      kind: .alert, title: title, buttons: [PresentationRequest.Button(id: button.id, label: button.label)])
    return sample(request, app: app, outcome: outcome)
  }

  /// An agent's prompt for a command.
  static func agent(
    _ command: String, session: String = "s", in directory: String = "/srv/shop", message: String? = nil,
    outcome: PresentationOutcome? = nil
  ) -> Presentation {
    var request = PresentationRequest(kind: .alert, title: "Run this?", message: message)
    request.attachments = [PresentationRequest.Attachment(.command, command)]
    request.metadata = [AgentLabel.session: session, AgentLabel.directory: directory]
    return sample(request, app: "claude-code", outcome: outcome)
  }

  private static func sample(_ request: PresentationRequest, app: String, outcome: PresentationOutcome?) -> Presentation {
    let process = ProcessIdentity(
      uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/deploy",
      ancestry: [
        ProcessIdentity.Ancestor(pid: 42, started: 3, executable: "/usr/bin/bash"),
        ProcessIdentity.Ancestor(pid: 41, started: 2, executable: "/usr/bin/tmux"),
      ])
    var presentation = Presentation(
      id: PresentationID("019aa3c4-7b1e-7c55-9f0e-3d215f0c1a2b")!,
      requester: Presentation.Requester(app: app, process: process), request: request, requestedAt: asked)
    presentation.presentedAt = asked.advanced(by: .seconds(2))
    presentation.state = .presented
    guard let outcome else { return presentation }
    presentation.state = .resolved
    presentation.resolvedAt = asked.advanced(by: .seconds(42))
    presentation.outcome = outcome
    presentation.resolvedBy = Presentation.Responder(process: process, presenter: "terminal")
    return presentation
  }
}

extension PresentationCells {
  init(_ presentation: Presentation, style: OutputStyle = .plain, search: String? = nil) {
    self.init(
      presentation: presentation, zone: .fixed(secondsEast: 0), users: .samples,
      now: Presentation.asked.advanced(by: .seconds(100)), style: style,
      search: search.flatMap { SearchWords($0) })
  }
}

/// The output of a printer.
final class Written: @unchecked Sendable {
  // Used by one test, sequentially.
  var text = ""
}

extension LogPrinter {
  init(_ format: LogList.Format?, style: OutputStyle, to written: Written) {
    self.init(format: format, zone: .fixed(secondsEast: 0), users: .samples, style: style) { written.text += $0 }
  }
}
