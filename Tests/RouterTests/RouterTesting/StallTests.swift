import Router
import RouterTesting
import Testing

/// Tests that wait for something that does not come.
@Suite(.timeLimit(.minutes(10)))
struct StallTests {
  private let question = AlertState<Bool>("Delete?") { ButtonState("Delete", action: true) }

  /// Returns the only issue of a test body that stalls, without its ids. It must be recorded at the line of the call.
  private func complaint(_ line: Int = #line, _ body: (TestRouter) async throws -> Void) async throws -> String {
    let found = Mutex<[String]>([])
    let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
    try await withKnownIssue {
      try await withTestRouter(patience: .seconds(1), sourceLocation: location, operation: body)
    } matching: { issue in
      found.withLock { $0.append(issue.comments.first?.rawValue ?? "\(issue)") }
      return issue.sourceLocation?.line == line
    }
    let issues = found.withLock(\.self)
    try #require(issues.count == 1, "\(issues)")
    let text = try #require(issues.first)
    #expect(text.hasPrefix("nothing happened for 1 second: "))
    return text.replacing(#/[0-9a-f]{8}-[0-9a-f-]{27}/#, with: "ID").replacing("nothing happened for 1 second: ", with: "")
  }

  @Test func `names a flow whose closure does not go on after the answer`() async throws {
    let stall = try await complaint { router in
      _ = router.presenter(script: [.answer("Hill Road")])
      let address: String = try await navigate(from: AddressForm()) { _, _ in }
      Issue.record("the flow ended with \(address)")
    }
    #expect(
      stall
        == "the flow AddressForm (ID) was answered and is still open; its closure must call finish(_:) or show another screen")
  }

  @Test func `names a flow whose next screen was answered`() async throws {
    let stall = try await complaint { router async throws in
      _ = router.presenter(script: [.answer("Hill Road"), .answer("card")])
      let _: String = try await navigate(from: AddressForm()) { _, proxy in
        await proxy.show(Payment()).then { _, _ in }
      }
    }
    #expect(stall.hasSuffix("was answered and is still open; its closure must call finish(_:) or show another screen"))
  }

  @Test func `names the presenter that waits for a prompt when nothing is open`() async throws {
    let first = try await complaint { router in _ = try await router.presenter().nextPresentation() }
    #expect(first == "the presenter test waits for a prompt, and nothing is open")
    let typed = try await complaint { router in _ = try await router.presenter("person").next(PickAddress.self) }
    #expect(typed == "the presenter person waits for a prompt, and nothing is open")
    let gone = try await complaint { router in _ = try await router.presenter().nextWithdrawal() }
    #expect(gone == first)
  }

  @Test func `names an open prompt, and the presenter that waits for another`() async throws {
    let stall = try await complaint { router in
      let presenter = router.presenter()
      async let choice = ShowAction()(question)
      _ = try await presenter.nextPresentation()
      _ = try await presenter.nextPresentation()
      _ = try await choice
    }
    #expect(
      stall
        == #"the alert "Delete?" (ID, surface main) is shown and was not answered; the presenter test waits for another prompt"#
    )
  }

  @Test func `names a prompt that no presenter shows, also if the test then ends without an error`() async throws {
    let stall = try await complaint { _ in
      #expect(await ShowAction().result(of: question) == .failure(.cancelled(.interrupted)))
    }
    #expect(stall == #"the alert "Delete?" (ID, surface main) is queued"#)
  }

  @Test func `names what is open while the test waits for something other than its router`() async throws {
    let (issues, issue) = AsyncStream<String>.makeStream()
    try await withKnownIssue {
      try await withTestRouter(patience: .seconds(1)) { _ in
        #expect(await ShowAction().result(of: question) == .failure(.cancelled(.interrupted)))
        let stall = await issues.first { _ in true }
        #expect(stall?.hasSuffix("; the test waits for something other than its router, and must end by itself") == true)
      }
    } matching: {
      issue.yield($0.comments.first?.rawValue ?? "\($0)")
      return true
    }
  }

  @Test func `lets a test take its time while nothing is open, and while something happens`() async throws {
    try await withTestRouter(patience: .milliseconds(100)) { router in
      try await PresentationClock.system.sleep(for: .milliseconds(300))
      _ = router.presenter(script: [.press("Delete")])
      #expect(try await ShowAction()(question))
    }
  }
}
