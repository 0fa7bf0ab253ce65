import Router

/// Applies a caller's input to an open presentation under the rules against self-answers, and records rejections.
struct GuardedChange: Sendable {
  let accessControl: AccessControl
  let coordinators: Coordinators

  /// Responds once the input is recorded or rejected.
  ///
  /// - Parameter encode: Encodes the presentation after the input, on the coordinator's executor, and calls its second argument
  ///   once.
  func callAsFunction(
    _ id: PresentationID, _ call: Call, on coordinator: isolated PresentationCoordinator,
    _ input: (PresentationID) -> PresentationInput,
    encode: @escaping @Sendable (Presentation, @escaping @Sendable (Result<Response, RouterError>) -> Void) -> Void = {
      $1(.success(Response(json: $0.jsonText)))
    }
  ) {
    coordinator.change(id, input) { [isLocal = coordinator === coordinators.local.coordinator] result in
      // This machine's log knows only its own presentations.
      let id = isLocal ? id : nil
      switch result {
      case .success(let presentation): encode(presentation) { respond(to: call, $0, on: id) }
      case .failure(let error): respond(to: call, .failure(error), on: id)
      }
    }
  }

  /// Responds, and records a rejection.
  func respond(to call: Call, _ result: Result<Response, RouterError>, on id: PresentationID?) {
    if case .failure(let error) = result, error.code == .forbidden {
      let reason = error.field == "/agent" ? "requested by the caller's own agent" : error.message
      accessControl.deny(call, because: reason, on: id)
    }
    call.exchange.respond(result.mapError { $0 })
  }
}
