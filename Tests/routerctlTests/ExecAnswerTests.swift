import OrderedCollections
import Router
import Testing

@testable import routerctl

// Promise P84.
struct ExecAnswerTests {
  private func response(
    _ output: String, status: Int32 = 0, errors: String = "", to request: PresentationRequest = .deploy
  ) throws -> ExecAnswer {
    let result = ShellCommand.Result(status: status, output: Array(output.utf8), errors: Array(errors.utf8))
    return try ExecAnswer(result, to: request)
  }

  @Test(arguments: [
    ("later\n", PresenterResponse.answer(.button("later"))), (#"{"button":"deploy"}"#, .answer(.button("deploy"))),
    (#"{"value":{"a":null}}"#, .answer(.value(["a": nil]))), (#"{"value":null}"#, .answer(.value(nil))),
    (#" {"dismiss":true} "#, .dismiss), (#"{"snooze":90.5}"#, .snooze(for: .milliseconds(90_500))), ("", .dismiss),
    (" \n", .dismiss),
  ])
  func `takes a command's output as the answer`(output: String, answer: PresenterResponse) throws {
    #expect(try response(output) == .response(answer))
  }

  @Test func `has an answer remembered`() throws {
    var response = PresenterResponse.answer(.button("deploy"), comment: "today")
    response.extra.remember = GrantChoice(for: .seconds(3600))
    #expect(try self.response(#"{"button":"deploy","comment":"today","remember":{"for":3600}}"#) == .response(response))
    for wrong in [#"{"button":"deploy","remember":3600}"#, #"{"value":1,"remember":{"for":3600}}"#] {
      #expect(throws: ExecFailure.self) { try self.response(wrong) }
    }
  }

  @Test(arguments: [Int32(1), 2, 127, 139])
  func `fails if the command failed, whatever it printed`(status: Int32) {
    #expect(throws: ExecFailure.self) { try response("deploy", status: status) }
    #expect(throws: ExecFailure.self) { try response("", status: status) }
  }

  @Test func `accepts a form as typed text`() throws {
    #expect(try response(#"{"typed":{"name":"Ada","age":""}}"#) == .typed(["name": "Ada", "age": ""]))
  }

  @Test(arguments: [
    "nonsense", "{", "3", #"{"dismiss":false}"#, #"{"button":"a","value":1}"#, #"{"button":3}"#, "{}",
    #"{"typed":{"a":1}}"#, #"{"snooze":-1}"#, #"{"snooze":1e99}"#, #"{"snooze":"1h"}"#, #"{"typed":[]}"#,
  ])
  func `fails on an invalid answer`(output: String) {
    #expect(throws: ExecFailure.self) { try response(output) }
  }

  @Test func `reports the first line of the command's errors, escaped`() {
    let failure = #expect(throws: ExecFailure.self) { try response("", status: 4, errors: "no \u{1B}[31mdisplay\r\nmore") }
    #expect(failure?.description == "no \\u{1B}[31mdisplay")
    let silent = #expect(throws: ExecFailure.self) { try response("", status: 4) }
    #expect(silent?.description == "the presenter's --exec command exited with status 4")
  }
}
