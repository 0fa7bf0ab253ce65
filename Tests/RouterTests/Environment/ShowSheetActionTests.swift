import OrderedCollections
import Router
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ShowSheetActionTests {
  private let sheet = PickAddress(recent: [Address(street: "Hill Road")])

  @discardableResult
  private func inject<Result>(_ broker: ScriptedBroker, _ operation: () async throws -> Result) async rethrows -> Result {
    try await withEnvironment(\.presentationBroker, broker, operation: operation)
  }

  @Test func `returns the answer in the sheet's answer type`() async throws {
    let broker = ScriptedBroker(.answered(.value(["street": "Main Street"])))
    try await inject(broker) {
      let answer = try await ShowAction()(sheet)
      #expect(answer == Address(street: "Main Street"))
      #expect(await ShowAction().result(of: sheet) == .success(Address(street: "Main Street")))
    }
    #expect(broker.requests == [try PresentationRequest(sheet), try PresentationRequest(sheet)])
  }

  @Test func `returns an answer that is nil`() async throws {
    try await inject(ScriptedBroker(.answered(.value(.null)))) {
      let answer = try await ShowAction()(PickNickname())
      #expect(answer == nil)
      #expect(await ShowAction().result(of: PickNickname()) == .success(nil))
    }
  }

  @Test(
    arguments: [
      (.dismissed, .dismissed), (.cancelled(.superseded), .cancelled(.superseded)), (.expired(.queued), .expired(.queued)),
      (.failed("no display"), .failed("no display")),
    ] as [(PresentationOutcome, NoAnswer)])
  func `throws the reason of an end without an answer`(
    end: PresentationOutcome, reason: NoAnswer
  ) async {
    await inject(ScriptedBroker(end)) {
      await #expect(throws: reason) { _ = try await ShowAction()(sheet) }
      #expect(await ShowAction().result(of: sheet) == .failure(reason))
    }
  }

  @Test func `throws an error for an answer of the wrong type`() async {
    for answer in [PresentationAnswer.value(1), .button("ok"), .redacted] {
      await inject(ScriptedBroker(.answered(answer))) {
        let error = await #expect(throws: RouterError.self) { _ = try await ShowAction()(sheet) }
        #expect(error?.code == .invalid)
        #expect(error?.message.hasPrefix("cannot read the answer to the sheet PickAddress") == true)
        guard case .failure(.failed(let detail)) = await ShowAction().result(of: sheet) else {
          Issue.record("the outcome is not a failure")
          return
        }
        #expect(detail.hasPrefix("cannot read the answer"))
      }
    }
  }

  @Test func `returns when a sheet without an answer is closed`() async throws {
    for end in [PresentationOutcome.dismissed, .answered(.value(1))] {
      try await inject(ScriptedBroker(end)) {
        try await ShowAction()(AppSheet.settings)
        #expect(await ShowAction().result(of: AppSheet.settings) == .failure(.dismissed))
      }
    }
    await inject(ScriptedBroker(.cancelled(.busy))) {
      await #expect(throws: NoAnswer.cancelled(.busy)) {
        try await ShowAction()(AppSheet.settings)
      }
      #expect(await ShowAction().result(of: AppSheet.settings) == .failure(.cancelled(.busy)))
    }
  }

  @Test func `canceling the task withdraws the sheet and throws`() async {
    let broker = ScriptedBroker()
    await inject(broker) {
      let task = Task { [sheet] in try await ShowAction()(sheet) }
      for await _ in broker.submissions { break }
      task.cancel()
      await #expect(throws: NoAnswer.cancelled(.requester)) { try await task.value }
    }
    #expect(broker.withdrawn == [0])
  }

  @Test func `submits nothing in a canceled task`() async {
    let broker = ScriptedBroker()
    await inject(broker) {
      let task = Task { [sheet] in
        withUnsafeCurrentTask { $0?.cancel() }
        return await ShowAction().result(of: sheet)
      }
      #expect(await task.value == .failure(.cancelled(.requester)))
    }
    #expect(broker.requests.isEmpty)
  }

  @Test func `passes a refusal on to the caller`() async {
    await inject(ScriptedBroker { _ in .refuse(RouterError(.full, "cannot queue another")) }) {
      #expect(await #expect(throws: RouterError.self) { _ = try await ShowAction()(sheet) }?.code == .full)
      #expect(await ShowAction().result(of: sheet) == .failure(.failed("cannot queue another")))
    }
  }

  @Test func `submits consecutive calls in order, before each returns`() async {
    let broker = ScriptedBroker()
    await inject(broker) {
      let showSheet = ShowAction()
      for index in 0..<100 {
        showSheet.post(AppSheet.contact("\(index)"))
        #expect(broker.requests.count == index + 1)
      }
    }
    #expect(broker.requests.map { $0.payload?["contact"]?["_0"]?.string } == (0..<100).map { "\($0)" })
  }

  @Test func `calls the callback when the sheet has ended`() async {
    let broker = ScriptedBroker()
    let (ended, continuation) = AsyncStream<Int>.makeStream()
    await inject(broker) {
      ShowAction().post(AppSheet.settings, onDismiss: { continuation.yield(1) })
      broker.end(.expired(.queued), at: 0)
      for await count in ended {
        #expect(count == 1)
        break
      }
    }
  }

  @Test func `the options of a call override the environment's, and the others stay`() async throws {
    let broker = ScriptedBroker(.dismissed)
    try await inject(broker) {
      try await withEnvironment(\.presentationOptions, PresentationOptions(surface: "kitchen", timeout: .seconds(9))) {
        try await ShowAction()(AppSheet.settings)
        try await ShowAction()(AppSheet.settings) {
          $0.priority = .high
          $0.timeout = .seconds(5)
        }
        try await ShowAction()(AppSheet.settings) {
          $0.surface = "main"
          $0.timeout = nil
        }
      }
    }
    #expect(broker.requests.map(\.surface) == ["kitchen", "kitchen", "main"])
    #expect(broker.requests.map(\.priority) == [.normal, .high, .normal])
    #expect(broker.requests.map(\.timeout) == [.seconds(9), .seconds(5), nil])
  }

  @Test func `a sheet's answer may be dropped only on purpose`() throws {
    let broker = ScriptedBroker()
    withEnvironment(\.presentationBroker, broker) {
      ShowAction().post(sheet)
      ShowAction(as: .fullScreenCover).post(sheet, onDismiss: {})
    }
    #expect(broker.requests.map(\.kind) == [.sheet, .fullScreenCover])
  }

  @Test func `copies every option to the request`() throws {
    let options = PresentationOptions(
      surface: "s", priority: .low, conflictPolicy: .cancelNew, timeout: .seconds(1), queueTimeout: .seconds(2),
      shownTimeout: .seconds(3), noPresenter: .fail, over: PresentationID("0193abcd-0000-7000-8000-0123456789ab"),
      sensitive: true, app: "a", metadata: ["k": "v"])
    #expect(
      PresentationRequest(kind: .sheet, sheet: "x").applying(options)
        == PresentationRequest(
          kind: .sheet, sheet: "x", app: "a", surface: "s", priority: .low, conflictPolicy: .cancelNew, timeout: .seconds(1),
          queueTimeout: .seconds(2), shownTimeout: .seconds(3), noPresenter: .fail, over: options.over, sensitive: true,
          metadata: ["k": "v"]))
    #expect(PresentationRequest(kind: .sheet, sensitive: true).applying(PresentationOptions()).sensitive)
  }

  @Test @MainActor func `submits the request before leaving the caller's actor`() async throws {
    let broker = ScriptedBroker()
    let first = Task { @MainActor in
      await withEnvironment(\.presentationBroker, broker) { _ = await ShowAction().result(of: AppSheet.contact("first")) }
    }
    let second = Task { @MainActor in
      await withEnvironment(\.presentationBroker, broker) {
        _ = await ShowAction().result(of: AppSheet.contact("second"))
      }
    }
    var iterator = broker.submissions.makeAsyncIterator()
    for index in 0..<2 {
      #expect(await iterator.next() == index)
      broker.end(.dismissed, at: index)
    }
    _ = await (first.value, second.value)
    #expect(broker.requests.map { $0.payload?["contact"]?["_0"] } == ["first", "second"])
  }
}
