/// What can happen to the surfaces, besides the passing of time.
public enum PresentationEvent: Sendable, Hashable {
  case request(PresentationTicket, surface: String)
  case answer(PresentationID, generation: Int?, PresentationAnswer, by: Resolver?)
  case dismiss(PresentationID, generation: Int?, by: Resolver?)
  case fail(PresentationID, generation: Int?, detail: String, by: Resolver?)
  case cancel(PresentationID, reason: CancellationReason, by: Resolver?)
  /// The requester ends its flow, or a screen of it.
  case finish(PresentationID, by: Resolver?)
  /// The requester of what is held after a restart is there again.
  case claim(PresentationID)
  case attach(PresenterID, surface: String)
  case detach(PresenterID, surface: String)
}
