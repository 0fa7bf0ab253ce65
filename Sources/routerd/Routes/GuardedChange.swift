import Router

/// Applies a caller's input to an open presentation under the rules against self-answers, and records refusals.
struct GuardedChange: Sendable {
  let configuration: LiveConfiguration
  let accessControl: AccessControl
  let coordinators: Coordinators

  /// Responds once the input is recorded or refused.
  ///
  /// - Parameter encode: Encodes the presentation after the input, on the coordinator's executor.
  func callAsFunction(
    _ id: PresentationID, _ call: Call, on coordinator: isolated PresentationCoordinator,
    _ input: (PresentationID) -> PresentationInput,
    encode: @escaping @Sendable (Presentation) -> Response = { Response(json: $0.jsonText) }
  ) {
    let rule = configuration.forbidSelfAnswer
    coordinator.change(id, input) { [accessControl, isLocal = coordinator === coordinators.local.coordinator] result in
      if case .failure(let error) = result, error.code == .forbidden {
        let reason = error.field == "/agent" ? "requested by the caller's own agent" : "forbidSelfAnswer: \(rule.rawValue)"
        // This machine's log knows only its own presentations.
        accessControl.deny(call, because: reason, on: isLocal ? id : nil)
      }
      call.exchange.respond(result.map(encode).mapError { $0 })
    }
  }
}
