extension PresentationCoordinator {
  /// Records what came of an approved act, once, in the words of its requester.
  ///
  /// - Parameter completion: Called once it is recorded, or with the reason why it is not.
  package func report(
    _ report: ActReport, of id: PresentationID, by process: ProcessIdentity,
    then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void
  ) {
    if let unavailable { return completion(.failure(unavailable)) }
    let ran = Presentation.Ran(report, by: Presentation.Responder(process: process).stamped(host: host))
    let event = Event(at: clock.wall(), presentation: id, .ran(ran))
    check(ran, of: id) { coordinator, result in
      guard case .success = result else { return completion(result) }
      coordinator.decider.report(event, coordinator) { coordinator, result in
        coordinator.reporting.remove(id)
        completion(result.mapError { RouterError(refusal: $0) })
      }
    }
  }

  /// Checks a report against the presentation on record. After a success, every other report of it is refused until the caller
  /// removes it from ``reporting``.
  func check(
    _ ran: Presentation.Ran, of id: PresentationID,
    then body: @escaping @Sendable (isolated PresentationCoordinator, Result<Void, RouterError>) -> Void
  ) {
    decider.afterRecord(self) { coordinator, result in
      guard case .success = result else { return body(coordinator, .failure(.logUnavailable)) }
      coordinator.read(id) { coordinator, result in
        do {
          guard let presentation = try result.get() else { throw PresentationRejection.notOpen }
          try presentation.check(ran)
          guard coordinator.reporting.insert(id).inserted else { throw PresentationRejection.reported }
          body(coordinator, .success(()))
        } catch let rejection as PresentationRejection {
          body(coordinator, .failure(RouterError(rejection, id: id)))
        } catch {
          body(coordinator, .failure(RouterError(reading: error)))
        }
      }
    }
  }
}
