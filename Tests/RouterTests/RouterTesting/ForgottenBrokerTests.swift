import Router
import RouterTesting
import Testing

/// Posts without a broker fail their test.
@Suite(.timeLimit(.minutes(10)))
struct ForgottenBrokerTests {
  @Test func `fails a test that posts without a broker, at the test's line`() throws {
    let test = try #require(Test.current?.sourceLocation)
    withKnownIssue {
      ShowAction().post(AlertState("Done."))
    } matching: { issue in
      issue.sourceLocation == test && "\(issue)".contains("there is no presentation broker in the environment")
    }
  }

  /// The new process runs nothing before the post.
  @Test func `fails a test that posts without a broker as the first thing in its process`() async {
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        ShowAction().post(AlertState("Done."))
      }
    } matching: { issue in
      "\(issue)".contains("there is no presentation broker in the environment")
    }
  }
}
