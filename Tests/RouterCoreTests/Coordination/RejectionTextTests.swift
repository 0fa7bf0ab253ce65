import RouterCore
import Testing

struct RejectionTextTests {
  private static let all: [PresentationRejection] = [
    .notOpen, .notPresented, .covered, .staleGeneration(2), .dismissDisabled, .unknownParent, .stackedTooDeep,
    .parentIsNoFlow, .notFlow, .notAnswered, .sensitiveDetached, .flowDetached, .criticalForbidden, .selfAnswer(.user),
    .ownApproval,
    .selfAnswer(.process), .agentAnswer, .noCallbacks, .keyReused, .throttled(.init(.seconds(1), .dismissals(3))),
    .attachedTooOften(.seconds(1)), .actDiffers(Act("run", object: "ls $(reboot)", arguments: ["ls", "$(reboot)"])),
    .hostActsTooOften(.seconds(1)),
    .full(.surface), .full(.user), .full(.host), .full(.total), .full(.hostBytes), .full(.presenters),
  ]

  @Test(arguments: all) func `says what cannot be done`(rejection: PresentationRejection) {
    #expect(RouterError(rejection).message.hasPrefix("cannot "))
  }
}
