extension PresentationCoordinator {
  /// Records the result of an approved act, once, as its requester reports it.
  ///
  /// - Parameter completion: Called once it is recorded, or with the reason why it is not.
  package func report(
    _ report: ActReport, of id: PresentationID, by process: ProcessIdentity,
    then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void
  ) {
    if let unavailable { return completion(.failure(unavailable)) }
    let ran = Presentation.Ran(report, by: Presentation.Responder(process: process).stamped(host: host))
    decide(.report(Event(at: clock.wall(), presentation: id, .ran(ran)))) { completion($1.map { _ in }) }
  }
}
