import Logging
import Router
import Testing

/// Asking without anybody to ask is an error or a line in the log, and never nothing.
@Suite(.timeLimit(.minutes(1)))
struct NothingInjectedTests {
  @Test func `waiting for a sheet throws`() async {
    let error = await #expect(throws: RouterError.self) { try await ShowSheetAction()(AppSheet.settings) }
    #expect(error?.code == .notInjected)
    #expect(error?.message.hasPrefix("cannot show the sheet settings") == true)
    guard case .failed(let detail) = await ShowSheetAction().outcome(of: AppSheet.settings) else {
      Issue.record("the outcome is not a failure")
      return
    }
    #expect(detail.hasPrefix("cannot show the sheet settings"))
  }

  @Test func `waiting for an alert throws`() async {
    let error = await #expect(throws: RouterError.self) { try await ShowAlertAction()(AlertState("Done.")) }
    #expect(error?.code == .notInjected)
    #expect(error?.message.hasPrefix("cannot show the alert") == true)
  }

  @Test func `showing and forgetting is logged as critical, without the person's text`() async {
    let log = Lines()
    withEnvironment(\.presentationLogger, log.logger) {
      ShowSheetAction()(AppSheet.contact("John Doe"), onDismiss: { Issue.record("called for a request that was never made") })
      ShowAlertAction()(AlertState("Secret plans"))
    }
    #expect(log.lines.map(\.level) == [.critical, .critical])
    #expect(log.lines.map { $0.metadata["code"] } == ["notInjected", "notInjected"])
    #expect(log.lines.map { $0.metadata["what"] } == ["the sheet contact", "the alert"])
    #expect(!log.lines.contains { "\($0)".contains("John") || "\($0)".contains("Secret") })
  }

  @Test func `a refusal of what was forgotten is logged`() async {
    let log = Lines()
    withEnvironment {
      $0.presentationLogger = log.logger
      $0.presentationBroker = ScriptedBroker { _ in .refuse(RouterError(.full, "cannot queue another")) }
    } operation: {
      ShowAlertAction()(AlertState("Done."), onDismiss: nil)
    }
    for await line in log.stream {
      #expect(line.level == .critical)
      #expect(line.metadata["code"] == "full")
      #expect(line.metadata["error"] == "cannot queue another")
      break
    }
  }
}
