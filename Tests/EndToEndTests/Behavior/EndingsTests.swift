import Router
import RouterTesting
import Testing

/// Each ending without an answer: its reason is distinct, thrown, and recorded in the log.
@Suite(.timeLimit(.minutes(10)))
struct EndingsTests {
  enum Ending: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case dismissed, cancelledByTask, cancelledByRequester, superseded, busy, parentEnded, noPresenter, expiredInLine,
      expiredShown,
      presenterFailed, shutDown

    var testDescription: String { rawValue }

    var reason: NoAnswer {
      switch self {
      case .dismissed: .dismissed
      case .cancelledByTask, .cancelledByRequester: .cancelled(.requester)
      case .superseded: .cancelled(.superseded)
      case .busy: .cancelled(.busy)
      case .parentEnded: .cancelled(.parentEnded)
      case .noPresenter: .cancelled(.noPresenter)
      case .expiredInLine: .expired(.queued)
      case .expiredShown: .expired(.presented)
      case .presenterFailed: .failed("cannot open the display")
      case .shutDown: .cancelled(.interrupted)
      }
    }

    /// Asks for a color and causes this ending.
    func bringAbout(in host: any Host) async throws -> Result<String, any Error> {
      var options = PresentationOptions()
      switch self {
      case .busy:
        options.conflictPolicy = .cancelNew
        _ = try await host.broker.submit(.alert("first")).accepted()
      case .parentEnded: options.over = try await host.broker.submit(.alert("parent")).accepted().id
      case .noPresenter: options.noPresenter = .fail
      case .expiredInLine: options.queueTimeout = .milliseconds(1)
      case .expiredShown: options.shownTimeout = .milliseconds(1)
      case .dismissed, .cancelledByTask, .cancelledByRequester, .superseded, .presenterFailed, .shutDown: break
      }
      let presenter = needsPresenter ? TestPresenter(host.broker) : nil
      // A presentation can only be stacked on a parent that is shown.
      if case .parentEnded = self { _ = try await presenter?.nextPresentation() }
      let asking = Task { [options] in try await ShowAction()(PickColor(), options: { $0 = options }) }
      if let presenter, self != .expiredShown {
        var shown = try await presenter.nextPresentation()
        while shown.request.sheet != "PickColor" { shown = try await presenter.nextPresentation() }
        try await end(shown, asking: asking, presenter: presenter, options: options, in: host)
      }
      return await asking.result
    }

    private var needsPresenter: Bool {
      switch self {
      case .busy, .noPresenter, .expiredInLine: false
      default: true
      }
    }

    private func end(
      _ shown: Presentation, asking: Task<String, any Error>, presenter: TestPresenter, options: PresentationOptions,
      in host: any Host
    ) async throws {
      switch self {
      case .dismissed: try await presenter.dismiss(shown)
      case .cancelledByTask: asking.cancel()
      case .cancelledByRequester: try await host.withdraw(shown.id)
      case .superseded:
        var next = PresentationRequest.alert("next")
        next.conflictPolicy = .cancelPrevious
        _ = try await host.broker.submit(next).accepted()
      case .parentEnded: try await host.withdraw(try #require(options.over))
      case .presenterFailed: try await presenter.fail(shown, detail: "cannot open the display")
      case .shutDown: try await host.stop()
      case .busy, .noPresenter, .expiredInLine, .expiredShown: break
      }
    }
  }

  @Test(arguments: Place.allCases, Ending.allCases)
  func `throws and logs the reason of each ending`(place: Place, ending: Ending) async throws {
    try await place.run(alone: ending == .shutDown) { host in
      let result = try await ending.bringAbout(in: host)
      let error = #expect(throws: NoAnswer.self) { try result.get() }
      #expect(error == ending.reason)
      #expect(error.map { "\($0)".unicodeScalars.count < 300 && "\($0)".hasPrefix("cannot ") } == true)

      let recorded = try #require(try await host.recorded(sheet: "PickColor"))
      #expect(recorded.outcome.flatMap(NoAnswer.init) == error)
      let endings = try await host.reader.events(of: recorded.id).compactMap { $0.detail["outcome"] }
      #expect(endings == [recorded.outcome?.json])
    }
  }

  @Test(arguments: Place.allCases)
  func `distinguishes refused, replaced, dismissed and canceled`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let showSheet = ShowAction()
      async let closed = showSheet.result(of: AppSheet.settings)
      try await presenter.dismiss(try await presenter.nextPresentation())
      let replaced = Task { await showSheet.result(of: AppSheet.settings) }
      _ = try await presenter.nextPresentation()
      let refused = await showSheet.result(of: AppSheet.settings, options: { $0.conflictPolicy = .cancelNew })
      let cancelled = Task {
        await showSheet.result(of: AppSheet.settings, options: { $0.conflictPolicy = .cancelPrevious })
      }
      _ = try await presenter.nextPresentation()
      cancelled.cancel()
      let outcomes = await [closed, replaced.value, refused, cancelled.value]
      #expect(outcomes == [.dismissed, .cancelled(.superseded), .cancelled(.busy), .cancelled(.requester)].map(Result.failure))
    }
  }

  @Test(arguments: Place.allCases)
  func `withdraws the sheet when its task is canceled`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let asking = Task { try await Screen().showSheet.wrappedValue(PickColor()) }
      let shown = try await presenter.nextPresentation()
      asking.cancel()
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
      await #expect(throws: NoAnswer.cancelled(.requester)) { try await asking.value }
    }
  }

  @Test(arguments: Place.allCases)
  func `keeps an alert queued without its presenter, and resumes it once when canceled`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let asking = Task { try await Screen().showAlert.wrappedValue(Screen.deletion) }
      let shown = try await presenter.nextPresentation()
      presenter.disconnect()
      try await host.withdrawn(shown.id)
      asking.cancel()
      await #expect(throws: NoAnswer.cancelled(.requester)) { try await asking.value }
      #expect(try await host.open().isEmpty)
    }
  }

  @Test(arguments: Place.allCases)
  func `a presenter that cannot show a prompt leaves it to the others`(place: Place) async throws {
    try await place.run { host in
      let zenity = TestPresenter(host.broker, name: "zenity")
      let handle = host.broker.submit(.alert("Deploy?"))
      let shown = try await zenity.nextPresentation()
      let terminal = TestPresenter(host.broker, name: "terminal")
      _ = try await terminal.nextPresentation()
      #expect(try await zenity.fail(shown, detail: "no display").state == .presented)
      #expect(try await zenity.nextWithdrawal() == (shown.id, .failed))
      try await terminal.press(id: "yes", on: shown)
      #expect(try await handle.resolved().outcome == .answered(.button("yes")))
      let events = try await host.reader.events(of: shown.id).filter { $0.kind == .presenterFailed }
      #expect(events.map { $0.detail["detail"] } == ["no display"])
      #expect(events.map { $0.detail["by"]?["presenter"] } == ["zenity"])
    }
  }

  @Test(arguments: Place.allCases)
  func `bounds the length of the error description`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker, script: [.fail(String(repeating: "e\u{301}", count: 10_000))])
      do {
        _ = try await ShowAction()(PickColor())
        Issue.record("a sheet that could not be shown had an answer")
      } catch let error as NoAnswer {
        #expect("\(error)".unicodeScalars.count < 300)
      }
      #expect(presenter.unplayed.isEmpty)
    }
  }
}
