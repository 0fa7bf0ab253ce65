extension PresentationCoordinator {
  /// Shows progress on an open sheet. See ``PresentationBroker/report(progress:label:of:)``.
  public func report(progress fraction: Double, label: String?, of id: PresentationID) async throws {
    try report(PresentationProgress(fraction: fraction, label: label), of: id)
  }

  /// Shows progress on behalf of the requester. The caller has checked the requester.
  package func report(_ progress: PresentationProgress, of id: PresentationID) throws {
    do { try progress.check() } catch { throw RouterError(error) }
    guard let presentation = committed[waiters.resolve(id)]?.presentation else {
      throw RouterError(.resolved, "cannot show progress on \(id): it is not open")
    }
    guard presentation.request.kind.showsProgress else {
      throw RouterError(.impossible, "cannot show progress on \(id): only sheets and full-screen covers show it")
    }
    screens.report(progress, of: presentation)
    shared?.link.report(progress, of: presentation.id)
  }

  /// Shows progress reported on another host of a shared surface.
  package func follow(_ progress: PresentationProgress, of id: PresentationID, from host: String) {
    guard let presentation = committed[id]?.presentation, presentation.requester.process.host == host,
      !isOwn(presentation), (try? progress.check()) != nil, presentation.request.kind.showsProgress
    else { return }
    screens.report(progress, of: presentation)
  }
}
