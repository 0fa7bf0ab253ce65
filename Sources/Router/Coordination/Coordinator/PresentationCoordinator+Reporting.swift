extension PresentationCoordinator {
  /// Records the reported result of an approved act, once.
  ///
  /// - Parameter completion: Called once the result is recorded, or with the reason for a rejection.
  package func report(
    _ report: ActReport, of id: PresentationID, by process: ProcessIdentity,
    then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void
  ) {
    if let unavailable { return completion(.failure(unavailable)) }
    let ran = Presentation.Ran(report, by: Presentation.Responder(process: process).stamped(host: host))
    decide(.report(Event(at: clock.wall(), presentation: id, .ran(ran)))) { completion($1.map { _ in }) }
  }
}
