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
    title: String = "Deploy 1.4.2?", app: String = "deploy", outcome: PresentationOutcome? = .answered(.button("deploy"))
  ) -> Presentation {
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/deploy")
    var presentation = Presentation(
      id: PresentationID("019aa3c4-7b1e-7c55-9f0e-3d215f0c1a2b")!,
      requester: Presentation.Requester(app: app, process: process),
      request: PresentationRequest(
        kind: .alert, title: title, buttons: [PresentationRequest.Button(id: "deploy", label: "Deploy")]),
      requestedAt: asked)
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
  init(_ presentation: Presentation) {
    self.init(
      presentation: presentation, zone: .fixed(secondsEast: 0), users: .samples,
      now: Presentation.asked.advanced(by: .seconds(100)))
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
