import Router
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

  @Test(arguments: [
    (RouterError.Code.invalid, Int32(64)), (.impossible, 64), (.unreachable, 69), (.shuttingDown, 69), (.forbidden, 77),
    (.notFound, 6), (.resolved, 6), (.full, 6), (.logUnavailable, 6), (.database, 70),
  ])
  func `maps each error to an exit status`(code: RouterError.Code, status: Int32) {
    let failure = CommandFailure(diagnosing: RouterError(code, "cannot do it"))
    #expect(failure?.status.rawValue == status)
    #expect(failure?.message == "cannot do it")
  }

  @Test func `reports an unknown error as a defect`() {
    struct Oops: Error {}
    #expect(CommandFailure(diagnosing: Oops())?.status == .defect)
  }
}
