import TestSupport

@testable import RouterCore

/// Bugs injected into the machine. The random test must find each.
enum Fault: String, CaseIterable {
  // Ignores part of its input.
  case ignoresPriority, ignoresPolicy, ignoresOwner, ignoresOver, ignoresNoPresenter, ignoresKeys, ignoresDetach
  case losesComments
  case acceptsStaleGeneration, acceptsAnyAnswer, acceptsAnyDismissal, admitsOneTooMany, showsWhilePaused
  case obeysAnybody, endsDetachedWithRequester, showsEverybodyEverything, showsAnyPriority
  // Reverts to a state other than the committed one.
  case takesBackTooLittle, reusesGeneration
  // Mishandles a clock.
  case queueClockRunsOn, shownClockRunsWhileCovered, expiresLate, wakesLate
  // Drops, repeats or mixes up events.
  case dropsParentEnded, coversSilently, resolvesTwice, repeatsGeneration, losesStackWithPresenter
  case swapsTwoWaiting, swapsTwoRestored
  // Mishandles what a person wants to see.
  case snoozesTooLong, ignoresWakes, ignoresRaises, ignoresPauses, ignoresEndsOfPauses, forgetsPauses
  // Mishandles flows.
  case endsFlowWithAnswer, answersSilently, finishesWithFirstAnswer, finishesOnlyWhatIsOnTop, countsScreens
  case endsFlowWithBack, shownClockRunsOnAfterAnswer
  // Mishandles a restart.
  case showsWhatIsHeld, ignoresClaims, overtakesWhatIsHeld, forgetsTimeShown, keepsWhatNobodyClaims

  /// Faults that break an invariant visible in the events alone, without the model.
  static let againstInvariants: [Fault] = [
    .ignoresPriority, .admitsOneTooMany, .dropsParentEnded, .coversSilently, .resolvesTwice, .repeatsGeneration,
    .losesStackWithPresenter, .swapsTwoWaiting, .swapsTwoRestored, .endsFlowWithAnswer, .answersSilently,
    .finishesWithFirstAnswer, .showsWhatIsHeld, .overtakesWhatIsHeld, .forgetsTimeShown, .keepsWhatNobodyClaims,
    .obeysAnybody, .endsDetachedWithRequester, .showsEverybodyEverything, .showsAnyPriority, .takesBackTooLittle,
    .reusesGeneration,
  ]

  /// The history that a fault needs.
  struct Memory {
    var asks: [PresentationAsk] = []
    var firstShown: [PresentationID: Duration] = [:]
    var swapped: (PresentationID, PresentationID)?
    var firstAnswers: [PresentationID: PresentationAnswer] = [:]
  }

  // MARK: Input

  func corrupted(_ limits: Presentation.Limits) -> Presentation.Limits {
    guard self == .admitsOneTooMany else { return limits }
    var limits = limits
    limits.perSurface += 1
    limits.perUser += 1
    limits.total += 1
    return limits
  }

  func corrupted(_ input: PresentationInput, in machine: inout MachineUnderTest) -> PresentationInput {
    let nothing = PresentationInput.presenterDetached(PresenterID(99), surface: "nowhere")
    switch input {
    case .request(let ask):
      machine.memory.asks.append(ask)
      return .request(corrupted(ask))
    case .change(let change): return corrupted(change, in: machine.surfaces).map { .change($0) } ?? nothing
    case .presenterAttached(let presenter, var identity, let surface) where self == .showsEverybodyEverything:
      identity.scope.only = nil
      return .presenterAttached(presenter, identity, surface: surface)
    case .presenterAttached(let presenter, var identity, let surface) where self == .showsAnyPriority:
      identity.scope.priority = nil
      return .presenterAttached(presenter, identity, surface: surface)
    case .endPause where self == .ignoresEndsOfPauses: return nothing
    default: return input
    }
  }

  /// - Returns: `nil` if it is ignored.
  private func corrupted(_ change: RouterCore.Change, in surfaces: PresentationSurfaces) -> RouterCore.Change? {
    var change = change
    switch (self, change.verb) {
    case (.acceptsStaleGeneration, is Verbs.Answer): change.generation = nil
    case (.losesComments, var answer as Verbs.Answer):
      answer.extra.comment = nil
      change.verb = answer
    case (.acceptsAnyAnswer, let verb as Verbs.Answer):
      guard let request = surfaces.entry(change.id)?.request, (try? request.check(verb.answer)) == nil else { break }
      change.verb = Verbs.Answer(request.buttons.first.map { .button($0.id) } ?? .value("ok"))
    case (.obeysAnybody, is Verbs.Cancel): change.isAdmin = true
    case (.endsDetachedWithRequester, is Verbs.RequesterGone):
      guard surfaces.entry(change.id)?.presentation.attached == false else { break }
      return RouterCore.Change(change.id, Verbs.Cancel(), by: .user(0), isAdmin: true)
    case (.snoozesTooLong, let verb as Verbs.Snooze): change.verb = Verbs.Snooze(for: verb.duration + .seconds(1))
    case (.ignoresWakes, is Verbs.Wake), (.ignoresPauses, is Verbs.PauseSession), (.ignoresRaises, is Verbs.Raise),
      (.ignoresDetach, is Verbs.Detach), (.ignoresClaims, is Verbs.Claim):
      return nil
    default: break
    }
    return change
  }

  private func corrupted(_ ask: PresentationAsk) -> PresentationAsk {
    var ask = ask
    switch self {
    case .ignoresPriority: ask.draft.priority = .normal
    case .acceptsAnyDismissal: ask.draft.dismissDisabled = false
    case .ignoresPolicy: ask.draft.conflictPolicy = .enqueue
    case .ignoresOwner: ask.isAdmin = true
    case .ignoresOver: ask.draft.over = nil
    case .ignoresNoPresenter: ask.draft.noPresenter = .wait
    case .ignoresKeys: ask.key = nil
    case .endsFlowWithAnswer: ask.draft.flow = false
    case .queueClockRunsOn: ask.draft.timeout = ask.request.timeout ?? ask.request.queueTimeout
    default: break
    }
    return ask
  }

  /// The rejection that a machine with a flow fault would return.
  func refusal(of input: PresentationInput, by surfaces: PresentationSurfaces) -> PresentationRejection? {
    switch input {
    case .change(let change) where self == .finishesOnlyWhatIsOnTop && change.verb is Verbs.Finish:
      let entry = surfaces.entry(change.id)
      return entry?.lastAnswer != nil && entry?.isCovered == true ? .covered : nil
    case .request(let ask) where self == .countsScreens:
      guard ask.request.flow, let entry = ask.request.over.flatMap({ surfaces.entry($0) }),
        entry.request.surface == ask.request.surface
      else { return nil }
      return entry.request.flow && entry.owner.uid == ask.uid && entry.presentation.level >= surfaces.limits.stackDepth
        ? .stackedTooDeep : nil
    default: return nil
    }
  }

  // MARK: Across a restart

  func corrupted(_ record: [Presentation], at now: Timestamp) -> [Presentation] {
    var record = record
    switch self {
    case .swapsTwoRestored where record.count > 1:
      (record[0].place, record[1].place) = (record[1].place, record[0].place)
    case .forgetsTimeShown:
      for index in record.indices {
        record[index].shownFor = .zero
        if record[index].shownSince != nil { record[index].shownSince = now }
      }
    case .keepsWhatNobodyClaims:
      for index in record.indices { record[index].attached = false }
    default: break
    }
    return record
  }

  func corruptRestarted(_ surfaces: inout PresentationSurfaces, at now: Moment) {
    switch self {
    case .showsWhatIsHeld:
      for entry in surfaces.entries { _ = try? surfaces.handle(.change(entry.id, Verbs.Claim()), at: now) }
    case .overtakesWhatIsHeld:
      let entries = surfaces.entries
      let lastNumber = entries.map(\.presentation.number).max() ?? 0
      surfaces = PresentationSurfaces(
        surfaces.policy, PresentationFold(entries, lastNumber: lastNumber), isSuspended: false, overtakingFrom: now.boot)
    default: break
    }
  }
}
