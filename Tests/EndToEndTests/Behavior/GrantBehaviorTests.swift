import Router
import RouterTesting
import TestSupport
import Testing

/// Remembered answers end what waits and what comes.
/// Promise P43.
@Suite(.timeLimit(.minutes(10)))
struct GrantBehaviorTests {
  private func deploy(_ object: String) -> PresentationRequest {
    var request = PresentationRequest.alert("Deploy?")
    request.act = Act("deploy", object: object)
    request.remember = PresentationRequest.Remember()
    return request
  }

  @Test(arguments: Place.allCases)
  func `ends equal requests that wait and that come, unseen`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let first = host.broker.submit(deploy("shop"))
      let shown = try await presenter.nextPresentation()
      let waiting = try await host.detach(deploy("shop"))
      let other = try await host.detach(deploy("blog"))
      try await presenter.press(id: "yes", on: shown, remember: .session)
      #expect(try await first.outcome() == .answered(.button("yes")))
      #expect(try await presenter.nextPresentation().id == other.id)
      let settled = try #require(try await host.reader.presentation(waiting.id))
      #expect(settled.outcome == .answered(.button("yes")) && settled.presentedAt == nil)
      let authority = try #require(settled.because)

      let later = try await host.broker.submit(deploy("shop")).resolved()
      #expect(later.outcome == .answered(.button("yes")) && later.because == authority)
      #expect(try await host.reader.events(of: later.id).map(\.kind).prefix(2) == [.requested, .answered])
    }
  }

  @Test(arguments: Place.allCases.unshared(because: "after a kill another host may ask, and a grant serves one host"))
  func `settles requests after a kill`(place: Place) async throws {
    try await place.run(alone: true) { host in
      let presenter = TestPresenter(host.broker)
      let first = host.broker.submit(deploy("shop"))
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation(), remember: .session)
      #expect(try await first.outcome() == .answered(.button("yes")))
      let next = try await host.killAndRestart()
      let later = try await next.broker.submit(deploy("shop")).resolved()
      #expect(later.outcome == .answered(.button("yes")) && later.because != nil)
      try await next.stop()
    }
  }

  @Test(arguments: Place.allCases)
  func `a remembered no is given for what comes, with nobody there`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let first = host.broker.submit(deploy("shop"))
      try await presenter.press(id: "no", on: try await presenter.nextPresentation(), remember: .session)
      #expect(try await first.outcome() == .answered(.button("no")))
      presenter.disconnect()
      let later = try await host.broker.submit(deploy("shop")).resolved()
      #expect(later.outcome == .answered(.button("no")) && later.because != nil)
    }
  }
}
