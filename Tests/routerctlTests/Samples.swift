import Router

extension Presentation {
  /// Returns a presentation of a request as a daemon would report it.
  static func sample(
    _ request: PresentationRequest, outcome: PresentationOutcome? = nil, generation: Int = 1,
    executable: String? = "/usr/bin/deploy"
  ) -> Presentation {
    Presentation(
      id: PresentationID("01936f5e-1b2c-7def-8a90-112233445566")!, state: outcome == nil ? .presented : .resolved,
      generation: generation,
      requester: Presentation.Requester(
        app: "deploy", process: ProcessIdentity(uid: 7123, gid: 7123, pid: 4242, executable: executable)),
      request: request, requestedAt: Timestamp(milliseconds: 1_700_000_000_000), outcome: outcome)
  }
}

extension PresentationRequest {
  static let deploy = PresentationRequest(
    kind: .alert, title: "Deploy 1.4.2?", message: "42 commits.\nSince yesterday.",
    buttons: [
      Button(id: "deploy", label: "Deploy", role: .destructive),
      Button(id: "wait", label: "In an hour"),
      Button(id: "later", label: "Not now", role: .cancel),
    ])
}
