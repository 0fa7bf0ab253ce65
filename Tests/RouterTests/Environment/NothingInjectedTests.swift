import Logging
import Router
import RouterTesting
import Testing

/// Requests without a broker throw or are logged; they never vanish silently.
@Suite(.timeLimit(.minutes(10)))
struct NothingInjectedTests {
  @Test func `waiting for a sheet throws`() async {
    let error = await #expect(throws: RouterError.self) { try await ShowAction()(AppSheet.settings) }
    #expect(error?.code == .notInjected)
    #expect(error?.message.hasPrefix("cannot show the sheet settings") == true)
    guard case .failure(.failed(let detail)) = await ShowAction().result(of: AppSheet.settings) else {
      Issue.record("the outcome is not a failure")
      return
    }
    #expect(detail.hasPrefix("cannot show the sheet settings"))
  }

  @Test func `waiting for an alert throws`() async {
    let error = await #expect(throws: RouterError.self) { try await ShowAction()(AlertState("Done.")) }
    #expect(error?.code == .notInjected)
    #expect(error?.message.hasPrefix("cannot show the alert") == true)
  }

  @Test func `waiting for a confirmation dialog or a cover throws`() async {
    let dialog = ConfirmationDialogState<Int>("Which?") { ButtonState("One", action: 1) }
    let error = await #expect(throws: RouterError.self) { _ = try await ShowAction()(dialog) }
    #expect(error?.code == .notInjected)
    #expect(error?.message.hasPrefix("cannot show the confirmation dialog") == true)
    let other = await #expect(throws: RouterError.self) { try await ShowAction(as: .fullScreenCover)(AppSheet.settings) }
    #expect(other?.code == .notInjected)
    #expect(other?.message.hasPrefix("cannot show the full-screen cover settings") == true)
    #expect(await ShowAction().result(of: dialog) == .failure(.failed(error?.message ?? "")))
    #expect(await ShowAction(as: .fullScreenCover).result(of: AppSheet.settings) == .failure(.failed(other?.message ?? "")))
  }

  @Test func `showing a sheet during an operation throws without running the operation`() async {
    let error = await #expect(throws: RouterError.self) {
      try await ShowAction().during(AppSheet.settings) { Issue.record("the operation ran") }
    }
    #expect(error?.code == .notInjected)
  }

  @Test func `dismissing outside any presentation throws`() async {
    #expect(!EnvironmentValues.current.isPresented)
    let error = await #expect(throws: RouterError.self) { try await DismissAction().outcome() }
    #expect(error?.code == .notInjected)
    #expect(error?.message.hasPrefix("cannot dismiss") == true)
  }

  @Test func `dismissing outside any presentation without waiting logs a critical error`() {
    let log = Lines()
    withEnvironment(\.presentationLogger, log.logger) { DismissAction()() }
    #expect(log.lines.map(\.level) == [.critical])
    #expect(log.lines.map(\.message) == ["cannot dismiss"])
    #expect(log.lines.map { $0.metadata["code"] } == ["notInjected"])
  }

  @Test func `posting without a broker fails the test and logs a critical error without the person's text`() {
    let log = Lines()
    let issues = Mutex<[String]>([])
    withKnownIssue {
      post(loggingTo: log)
    } matching: { issue in
      issues.withLock { $0.append("\(issue)") }
      return true
    }
    #expect(issues.withLock(\.count) == 4)
    #expect(issues.withLock { $0.allSatisfy { $0.contains("there is no presentation broker in the environment") } })
    #expect(log.lines.map(\.level) == [.critical, .critical, .critical, .critical])
    #expect(log.lines.allSatisfy { $0.metadata["code"] == "notInjected" })
    #expect(
      log.lines.map { $0.metadata["what"] } == [
        "the sheet contact", "the full-screen cover contact", "the alert", "the confirmation dialog",
      ])
    #expect(!log.lines.contains { "\($0)".contains("John") || "\($0)".contains("Secret") })
  }

  private func post(loggingTo log: Lines) {
    withEnvironment(\.presentationLogger, log.logger) {
      ShowAction().post(
        AppSheet.contact("John Doe"), onDismiss: { Issue.record("called for a request that was never made") })
      ShowAction(as: .fullScreenCover).post(AppSheet.contact("John Doe"))
      ShowAction().post(AlertState("Secret plans"))
      ShowAction().post(ConfirmationDialogState<Int>("Secret plans") { ButtonState("Secret") })
    }
  }

  @Test func `logs the refusal of a request that nobody waits for`() async {
    let log = Lines()
    withEnvironment {
      $0.presentationLogger = log.logger
      $0.presentationBroker = ScriptedBroker { _ in .refuse(RouterError(.full, "cannot queue another")) }
    } operation: {
      ShowAction().post(AlertState("Done."))
    }
    for await line in log.stream {
      #expect(line.level == .critical)
      #expect(line.metadata["code"] == "full")
      #expect(line.metadata["error"] == "cannot queue another")
      break
    }
  }
}
