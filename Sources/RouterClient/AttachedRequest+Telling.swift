import Router

extension AttachedRequest {
  /// Builds the presentation from the stream's first event, with members that the event omits taken from the request.
  func presentation(_ id: PresentationID, from event: ServerSentEvent) -> Presentation {
    let isPresented = event.name == "presented"
    var presentation = Presentation(
      id: id, state: isPresented ? .presented : .queued, position: event.data["position"]?.number?.integer ?? 0,
      generation: event.data["generation"]?.number?.integer ?? 0,
      requester: requester, request: request, requestedAt: client.clock.wall())
    if isPresented { presentation.presentedAt = presentation.requestedAt }
    return presentation
  }

  /// Returns the result of a request that was canceled before the daemon confirmed it.
  func withdrawn(_ presentation: Presentation?) -> Presentation {
    let now = client.clock.wall()
    var ended =
      presentation
      ?? Presentation(id: PresentationIDGenerator().next(at: now), requester: requester, request: request, requestedAt: now)
    ended.state = .resolved
    ended.resolvedAt = now
    ended.outcome = .cancelled(.requester)
    ended.resolvedBy = Presentation.Responder(process: .currentProgram)
    return ended
  }

  private var requester: Presentation.Requester {
    Presentation.Requester(app: request.app ?? client.app ?? ProcessIdentity.currentProgram.name, process: .currentProgram)
  }
}
