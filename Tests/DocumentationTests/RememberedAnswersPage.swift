import Router
import RouterTesting
import Testing

private func push() -> AlertState<Bool> {
  var alert = AlertState("Push to main?") {
    ButtonState("Push", action: true)
    ButtonState("Not now", role: .cancel, action: false)
  }
  alert.act = Act("push", object: "origin/main")
  alert.remember = .init(periods: [.session])
  return alert
}

/// Examples from the article about remembered answers.
@Suite(.timeLimit(.minutes(10)))
struct RememberedAnswersPageTests {
  @Test func `asks with an act`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.press("Push")])
      let isPushed = try await ShowAction()(push())
      #expect(isPushed)
      #expect(presenter.shown.first?.request.act == Act("push", object: "origin/main"))
      #expect(presenter.shown.first?.request.remember?.periods == [.session])
    }
  }
}
