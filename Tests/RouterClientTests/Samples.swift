import Router

extension PresentationRequest {
  /// A question with two buttons.
  static let sample = PresentationRequest(
    kind: .alert, title: "Deploy?",
    buttons: [
      Button(id: "deploy", label: "Deploy", role: .destructive),
      Button(id: "later", label: "Not now", role: .cancel),
    ])
}

extension PresentationID {
  static let sample = PresentationID("01936f5e-1b2c-7def-8a90-112233445566")!
  static let other = PresentationID("01936f5e-1b2c-7def-8a90-112233445567")!

  var json: JSONValue { .string(description) }
}

extension Presentation {
  /// A presentation as the daemon would report it.
  static func sample(
    _ id: PresentationID = .sample, state: State = .presented, request: PresentationRequest = .sample,
    outcome: PresentationOutcome? = nil
  ) -> Presentation {
    Presentation(
      id: id, state: outcome == nil ? state : .resolved, generation: 1,
      requester: Presentation.Requester(
        app: "tests", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 7, executable: "/bin/x")),
      request: request, requestedAt: Timestamp(milliseconds: 1_700_000_000_000), outcome: outcome)
  }
}
