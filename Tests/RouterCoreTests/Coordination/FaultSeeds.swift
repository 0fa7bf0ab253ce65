/// The seed that found each injected fault last, which is tried first.
enum FaultSeeds {
  /// Returns a seed whose sequence finds a fault, and prints a new one, to add to ``kept``.
  static func first(in seeds: UInt64, for fault: String, _ finds: (UInt64) -> Bool) -> UInt64? {
    if let seed = kept[fault], finds(seed) { return seed }
    let found = (0..<seeds).first(where: finds)
    if let found { print("FaultSeeds: \"\(fault)\": \(found),") }
    return found
  }

  private static let kept: [String: UInt64] = [
    "acceptsAnyAnswer": 0, "acceptsAnyDismissal": 20, "acceptsStaleGeneration": 15, "admitsOneTooMany": 3,
    "admitsOneTooMany, by invariants": 3, "answersSilently": 49, "answersSilently, by invariants": 49,
    "countsScreens": 5, "coversSilently": 0, "coversSilently, by invariants": 0, "dropsParentEnded": 0,
    "dropsParentEnded, by invariants": 0, "endsDetachedWithRequester": 3,
    "endsDetachedWithRequester, by invariants": 29, "endsFlowWithAnswer": 0, "endsFlowWithAnswer, by invariants": 36,
    "endsFlowWithBack": 35, "expiresLate": 0, "finishesOnlyWhatIsOnTop": 59, "finishesWithFirstAnswer": 59,
    "finishesWithFirstAnswer, by invariants": 59, "forgetsPauses": 3, "forgetsTimeShown": 1,
    "forgetsTimeShown, by invariants": 26, "grants: forgetsRevocations": 0, "grants: forgetsTheBoot": 70,
    "grants: forgetsTheDirectory": 1, "grants: forgetsTheExecutable": 7, "grants: forgetsTheLabel": 0,
    "grants: forgetsTheStartTime": 5, "grants: forgetsTheSurface": 7, "grants: forgetsTheTime": 0,
    "grants: forgetsTheUser": 3, "grants: forgetsTheVariables": 5, "grants: keepsBothOfACondition": 583,
    "grants: leavesWhatWaits": 0, "grants: prefersPermission": 468, "grants: seesAllPrograms": 22,
    "grants: takesAllPrefixes": 186, "ignoresClaims": 1, "ignoresDetach": 2, "ignoresEndsOfPauses": 1, "ignoresKeys": 3,
    "ignoresNoPresenter": 1, "ignoresOver": 0, "ignoresOwner": 3, "ignoresPauses": 0, "ignoresPolicy": 0,
    "ignoresPriority": 0, "ignoresPriority, by invariants": 21, "ignoresRaises": 4, "ignoresWakes": 4,
    "keepsWhatNobodyClaims": 1, "keepsWhatNobodyClaims, by invariants": 1, "losesComments": 7,
    "losesStackWithPresenter": 2, "losesStackWithPresenter, by invariants": 2, "obeysAnybody": 35,
    "obeysAnybody, by invariants": 35, "overtakesWhatIsHeld": 3, "overtakesWhatIsHeld, by invariants": 3,
    "queueClockRunsOn": 0, "repeatsGeneration": 2, "repeatsGeneration, by invariants": 2, "resolvesTwice": 2,
    "resolvesTwice, by invariants": 2, "reusesGeneration": 14, "reusesGeneration, by invariants": 14,
    "rules: allowsCritical": 95, "rules: allowsUnknownCommands": 0, "rules: forgetsTheAncestor": 1,
    "rules: forgetsTheApp": 10, "rules: forgetsTheHost": 24, "rules: forgetsTheUser": 3,
    "rules: forgetsTheVariables": 19, "rules: forgetsTheVerb": 0, "rules: stopsAtANeedlessPermission": 2,
    "rules: takesDotsForOne": 0, "rules: takesTheLast": 0, "rules: takesUnknownForNo": 1,
    "rules: takesUnknownForYes": 2, "shownClockRunsOnAfterAnswer": 543, "shownClockRunsWhileCovered": 139,
    "showsAnyPriority": 4, "showsAnyPriority, by invariants": 4, "showsEverybodyEverything": 0,
    "showsEverybodyEverything, by invariants": 0, "showsWhatIsHeld": 4, "showsWhatIsHeld, by invariants": 86,
    "showsWhilePaused": 2, "snoozesTooLong": 1, "swapsTwoRestored": 4, "swapsTwoRestored, by invariants": 8,
    "swapsTwoWaiting": 4, "swapsTwoWaiting, by invariants": 4, "takesBackTooLittle": 1,
    "takesBackTooLittle, by invariants": 1, "wakesLate": 0,
  ]
}
