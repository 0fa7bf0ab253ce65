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
    let event = Event(at: clock.wall(), presentation: id, .ran(ran))
    check(ran, of: id) { coordinator, result in
      guard case .success = result else { return completion(result) }
      coordinator.decider.report(event, coordinator) { coordinator, result in
        coordinator.finishReport(of: id)
        completion(result.mapError { RouterError(refusal: $0) })
      }
    }
  }

  /// Checks a report against the presentation on record. After a success, other reports of it wait until the caller calls
  /// ``finishReport(of:)``.
  func check(
    _ ran: Presentation.Ran, of id: PresentationID,
    then body: @escaping @Sendable (isolated PresentationCoordinator, Result<Void, RouterError>) -> Void
  ) {
    // What it would read could be older than the report before it.
    if reporting[id] != nil {
      reporting[id]?.append { $0.check(ran, of: id, then: body) }
      return
    }
    reporting[id] = []
    decider.afterRecord(self) { coordinator, result in
      guard case .success = result else { return coordinator.refuseReport(of: id, .logUnavailable, body) }
      coordinator.read(id) { coordinator, result in
        do {
          guard let presentation = try result.get() else { throw PresentationRejection.notOpen }
          try presentation.check(ran)
          body(coordinator, .success(()))
        } catch let rejection as PresentationRejection {
          coordinator.refuseReport(of: id, RouterError(rejection, id: id), body)
        } catch {
          coordinator.refuseReport(of: id, RouterError(reading: error), body)
        }
      }
    }
  }

  private func refuseReport(
    of id: PresentationID, _ error: RouterError,
    _ body: @Sendable (isolated PresentationCoordinator, Result<Void, RouterError>) -> Void
  ) {
    finishReport(of: id)
    body(self, .failure(error))
  }

  /// Goes on with the reports that wait.
  func finishReport(of id: PresentationID) {
    for next in reporting.removeValue(forKey: id) ?? [] { next(self) }
  }
}
