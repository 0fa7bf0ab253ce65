import ArgumentParser
import Foundation
import Router
import RouterCommandLine
import RouterCore
import Testing

@testable import routerctl

struct ExitStatusTests {
  @Test(arguments: [
    (PresentationOutcome.answered(.button("deploy")), Int32(0)), (.answered(.button("later")), 1),
    (.answered(.value(3)), 0), (.answered(.redacted), 0), (.cancelled(.requester), 2), (.cancelled(.busy), 2),
    (.dismissed, 3), (.expired(.queued), 5), (.expired(.presented), 5), (.failed("x"), 6),
  ])
  func `maps each outcome to an exit status`(outcome: PresentationOutcome, status: Int32) {
    #expect(ExitStatus(Presentation.sample(.deploy, outcome: outcome)).rawValue == status)
  }

  @Test func `closing a sheet without an answer is a success`() {
    var request = PresentationRequest(kind: .sheet, sheet: "done")
    request.hasAnswer = false
    #expect(ExitStatus(Presentation.sample(request, outcome: .dismissed)) == .answered)
    #expect(ExitStatus(Presentation.sample(request, outcome: .expired(.presented))) == .expired)
  }

  @Test(arguments: [
    (RouterError.Code.invalid, Int32(64)), (.impossible, 64), (.unreachable, 69), (.shuttingDown, 69), (.forbidden, 77),
    (.notFound, 7), (.resolved, 7), (.full, 7), (.logUnavailable, 7), (.database, 70),
  ])
  func `maps each error to an exit status`(code: RouterError.Code, status: Int32) {
    let failure = CommandFailure(diagnosing: RouterError(code, "cannot do it"))
    #expect(failure?.status.rawValue == status)
    #expect(failure?.message == "cannot do it")
  }

  @Test func `the man page has every status, once`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Docs/man/routerctl.1"), encoding: .utf8)
    let table = page.components(separatedBy: ".TS\n")[1].components(separatedBy: ".TE")[0]
    let documented = table.split(separator: "\n").dropFirst().compactMap { Int32($0.prefix { $0 != "\t" }) }
    #expect(documented == ExitStatus.allCases.map(\.rawValue) + [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { 128 + $0 })
    let help = Routerctl.configuration.discussion.split(separator: "\n").map { $0.drop { $0 == " " } }
    for status in ExitStatus.allCases { #expect(help.contains { $0.hasPrefix("\(status.rawValue) ") }, "\(status)") }
  }

  @Test func `reports an unknown error as a defect`() {
    struct Oops: Error {}
    #expect(CommandFailure(diagnosing: Oops())?.status == .defect)
  }
}
