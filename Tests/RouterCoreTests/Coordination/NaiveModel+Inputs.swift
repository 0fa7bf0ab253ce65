import RouterCore
import TestSupport

extension NaiveModel {
  /// Returns the changes made by an input, in order.
  mutating func handle(_ input: PresentationInput, at now: Duration) throws(PresentationRejection) -> [Change] {
    changes = []
    noteTime(now)
    switch input {
    case .request(let ask):
      try request(ask, at: now)
    case .change(let change): try make(change, at: now)
    case .endPause(let id, let resolver): try endPause(id, by: resolver, at: now)
    case .revoke: throw .noGrant
    case .loadRules: break
    case .turn(let isOff, let duration, let resolver): try turn(isOff: isOff, for: duration, by: resolver, at: now)
    case .presenterAttached(let presenter, let identity, let surface):
      if let id = identity.scope.only {
        guard let item = item(id), item.surface == surface, item.ask.uid == identity.process.uid else { throw .notOpen }
      }
      if !presenters(on: surface).contains(where: { $0.presenter == presenter }) {
        attachments.append(Attachment(presenter: presenter, surface: surface, identity: identity))
      }
      changes.append(.presenterAttached(identity.name, surface: surface))
      bringUpToDate(surface, at: now)
    case .presenterDetached(let presenter, let surface):
      if presenters(on: surface).contains(where: { $0.presenter == presenter }) {
        attachments.removeAll { $0.presenter == presenter && $0.surface == surface }
        changes.append(.presenterDetached("p\(presenter.number)", surface: surface))
        let kept = stack(on: surface).prefix { !presenters(of: $0).isEmpty }
        suspend(surface, .presenterGone, keeping: kept.count, at: now)
      }
      bringUpToDate(surface, at: now)
    }
    return changes
  }

  private mutating func make(_ change: RouterCore.Change, at now: Duration) throws(PresentationRejection) {
    let (id, resolver) = (change.id, change.by)
    guard let item = item(id) else { throw .notOpen }
    switch change.verb {
    case let verb as Verbs.Answer:
      try check(change)
      if !fits(verb.answer, item.request) || !fits(verb.extra, item.request) { throw .answerDoesNotFit(.some) }
      if item.request.flow {
        keep(verb.answer, verb.extra, by: resolver, of: item, at: now)
      } else {
        resolve(id, .answered(verb.answer), verb.extra, by: resolver, at: now)
      }
    case let verb as Verbs.Dismiss:
      try check(change)
      if item.request.dismissDisabled { throw .dismissDisabled }
      let extra = AnswerExtra(comment: verb.comment)
      if !fits(extra, item.request) { throw .answerDoesNotFit(.some) }
      resolve(id, .dismissed, extra, by: resolver, at: now)
    case let verb as Verbs.Snooze:
      if item.isShown || change.generation != nil { try check(change) }
      try snooze(item, for: verb.duration, by: resolver, at: now)
    case let verb as Verbs.PauseSession:
      guard let resolver else { throw .notOpen }
      try pauseSession(of: id, for: verb.duration, by: resolver, at: now)
    case is Verbs.Wake: if item.snoozedUntil != nil { wake(id, by: resolver) }
    case is Verbs.Raise: try raise(id, by: resolver, at: now)
    case let verb as Verbs.Fail: try fail(change, verb.detail, at: now)
    case is Verbs.Cancel:
      try checkOwner(of: item, change)
      resolve(id, .cancelled(item.ask.uid == resolver?.process.uid ? .requester : .admin), by: resolver, at: now)
    case is Verbs.Finish:
      try checkOwner(of: item, change)
      if !item.request.flow { throw .notFlow }
      guard let last = item.lastAnswer else { throw .notAnswered }
      resolve(id, .answered(last.answer), last.extra, by: last.resolver, finishedBy: resolver, at: now)
    case is Verbs.Detach:
      if let rejection = detachRejection(item.request) { throw rejection }
      if item.isAttached {
        items[index(of: id)!].isAttached = false
        changes.append(.detached(id))
      }
    case let verb as Verbs.RequesterGone:
      if item.isAttached { resolve(id, .cancelled(verb.reason), by: nil, at: now) }
    case is Verbs.Claim: try claim(id, at: now)
    default: preconditionFailure("the model does not know \(change.verb)")
    }
    bringUpToDate(item.surface, at: now)
  }

  private mutating func request(_ ask: PresentationAsk, at now: Duration) throws(PresentationRejection) {
    let request = ask.request
    if request.kind.hasButtons, request.title == nil { throw .invalid(.some) }
    if request.dismissDisabled, !request.kind.hasButtons { throw .invalid(.some) }
    if !ask.attached, let rejection = detachRejection(request) { throw rejection }
    if let use = use(of: ask) {
      if use.key.requestHash != ask.key?.requestHash { throw .keyReused }
      if item(use.id) != nil { try claim(use.id, at: now) }
      return
    }
    if request.priority == .critical, !ask.mayBeCritical { throw .criticalForbidden }
    if isOff, request.noPresenter != .wait {
      arrivals += 1
      var newcomer = Item(ask: ask, askedAt: now, arrival: arrivals)
      if let parent = request.over {
        guard let below = item(parent), below.surface == request.surface, below.ask.uid == ask.uid else {
          throw .unknownParent
        }
        if request.flow, !below.request.flow { throw .parentIsNoFlow }
      }
      if depth(of: newcomer) > limits.stackDepth { throw .stackedTooDeep }
      newcomer.round = round(of: newcomer)
      items.append(newcomer)
      changes.append(.requested(ask.id, lane: lane(of: newcomer), round: newcomer.round, level: level(of: newcomer)))
      resolve(ask.id, .cancelled(.off), by: nil, at: now)
      return bringUpToDate(request.surface, at: now)
    }
    if let pause = ask.throttled { throw .throttled(pause, app: ask.requester.app) }
    if let parent = request.over {
      guard let below = item(parent), below.surface == request.surface, below.ask.uid == ask.uid else {
        throw .unknownParent
      }
    }
    let own = items.filter { $0.ask.uid == ask.uid }
    let there = items.filter { $0.surface == request.surface }
    if items.count >= limits.total - (own.isEmpty ? 0 : limits.total / 10) { throw .full(.total) }
    if own.count >= limits.perUser { throw .full(.user) }
    if own.reduce(Self.bytes(of: ask), { $0 + $1.bytes }) > limits.bytesPerUser { throw .full(.bytes) }
    let isNew = !there.contains { $0.ask.uid == ask.uid }
    if there.count >= limits.perSurface - (isNew ? 0 : limits.perSurface / 10) { throw .full(.surface) }
    arrivals += 1
    var newcomer = Item(ask: ask, askedAt: now, arrival: arrivals)
    if request.flow, let parent = request.over, item(parent)?.request.flow == false { throw .parentIsNoFlow }
    if depth(of: newcomer) > limits.stackDepth { throw .stackedTooDeep }

    let holder = shown(on: request.surface, over: request.over) ?? line(on: request.surface, over: request.over).first
    let mayTakeOver = holder.map { ask.isAdmin || $0.ask.uid == ask.uid } ?? false
    if request.conflictPolicy == .cancelPrevious, mayTakeOver {
      claims += 1
      newcomer.claim = claims
    }
    newcomer.round = round(of: newcomer)
    items.append(newcomer)
    changes.append(
      .requested(ask.id, lane: lane(of: newcomer), round: newcomer.round, level: level(of: newcomer)))
    if request.noPresenter == .fail, !isPaused, presenters(of: newcomer).isEmpty {
      resolve(ask.id, .cancelled(.noPresenter), by: nil, at: now)
      return bringUpToDate(request.surface, at: now)
    }
    if let holder {
      switch request.conflictPolicy {
      case .enqueue: break
      case .cancelNew: resolve(ask.id, .cancelled(.busy), by: nil, at: now)
      case .cancelPrevious where mayTakeOver: resolve(holder.id, .cancelled(.superseded), by: nil, at: now)
      case .cancelPrevious: resolve(ask.id, .cancelled(.busy), by: nil, at: now)
      }
    }
    postponeIfPaused(ask.id, at: now)
    bringUpToDate(request.surface, at: now)
  }

  /// Marks a held presentation's requester as reconnected.
  private mutating func claim(_ id: PresentationID, at now: Duration) throws(PresentationRejection) {
    guard let index = index(of: id) else { throw .notOpen }
    items[index].heldUntil = nil
    bringUpToDate(items[index].surface, at: now)
  }

  /// The earlier use of the ask's key by the same user and app.
  func use(of ask: PresentationAsk) -> Use? {
    guard let key = ask.key else { return nil }
    let open = items.compactMap { item in item.ask.key.map { Use(key: $0, requester: item.ask.requester, id: item.id) } }
    return (open + endedUses).first { use in
      use.key.text == key.text && use.requester.app == ask.requester.app && use.requester.process.uid == ask.uid
    }
  }

  /// Withdraws it from the presenter that failed; ends it if no other may show it.
  private mutating func fail(_ change: RouterCore.Change, _ detail: String, at now: Duration) throws(PresentationRejection) {
    let (id, item) = (change.id, try check(change))
    let own = presenters(on: item.surface).first { attachment in
      guard let resolver = change.by, attachment.only == nil || attachment.only == id else { return false }
      let (process, other) = (attachment.identity.process, resolver.process)
      return attachment.identity.name == resolver.presenter && process.pid == other.pid && process.uid == other.uid
    }
    guard let own, let resolver = change.by, presenters(of: item).contains(where: { $0.identity.name != own.identity.name })
    else {
      resolve(id, .failed(detail), by: change.by, at: now)
      return bringUpToDate(item.surface, at: now)
    }
    // It was never shown there.
    guard isUrgent(item, enoughFor: own) else { return }
    if items[index(of: id)!].failed.insert(own.identity.name).inserted {
      changes.append(.presenterFailed(id, generation: item.generation, by: resolver))
      bringUpToDate(item.surface, at: now)
    }
  }

  private func detachRejection(_ request: PresentationRequest) -> PresentationRejection? {
    request.sensitive ? .sensitiveDetached : request.flow ? .flowDetached : nil
  }

  /// Whether a button exists; the test's sheets accept any value.
  private func fits(_ answer: PresentationAnswer, _ request: PresentationRequest) -> Bool {
    switch answer {
    case .button(let id): request.buttons.contains { $0.id == id }
    case .value: !request.kind.hasButtons
    case .redacted: false
    }
  }

  /// Whether the comment is readable and about nothing sensitive.
  private func fits(_ extra: AnswerExtra, _ request: PresentationRequest) -> Bool {
    guard let comment = extra.comment else { return true }
    return !request.sensitive && !comment.contains("\u{202E}")
  }

  /// Returns the item if it is on top, in the generation that the change is for.
  @discardableResult
  private func check(_ change: RouterCore.Change) throws(PresentationRejection) -> Item {
    guard let item = item(change.id) else { throw .notOpen }
    if !item.isShown { throw .notPresented }
    if !item.isOnTop { throw .covered }
    if let generation = change.generation, generation != item.generation { throw .staleGeneration(item.generation) }
    return item
  }

  /// Throws unless the caller owns the item or is an administrator.
  private func checkOwner(of item: Item, _ change: RouterCore.Change) throws(PresentationRejection) {
    guard change.isAdmin || item.ask.uid == change.by?.process.uid else { throw .notOpen }
  }
}

extension JSONError {
  /// A placeholder for any error: the model does not predict texts.
  static let some = JSONError("")
}

extension PresentationRejection {
  /// The rejection without its error texts.
  var withoutWords: PresentationRejection {
    guard self != .noCallbacks, RouterError(self).message.hasPrefix("cannot accept ") else { return self }
    return RouterError(self).code == .invalid ? .invalid(.some) : .answerDoesNotFit(.some)
  }
}
