import Logging

extension PresentationCoordinator {
  /// Called once, with the decision or with the result of recording it.
  typealias Reply = @Sendable (isolated PresentationCoordinator, Result<Decision, RouterError>) -> Void

  /// The pending effects of deciders. New effects follow earlier ones, so that the log receives events in the order of the
  /// decisions.
  struct Effects {
    fileprivate var queue: [Effect] = []
    fileprivate var isPerforming = false
    fileprivate var replies: [ReplyID: Reply] = [:]
    fileprivate var lastReply = 0
  }

  func decide(_ input: DeciderInput, then reply: Reply? = nil) {
    var id: ReplyID?
    if let reply {
      effects.lastReply += 1
      effects.replies[effects.lastReply] = reply
      id = effects.lastReply
    }
    perform(decider.handle(input, reply: id, at: now) { recorded })
  }

  private var recorded: Recorded {
    Recorded(state: committed, followed: followed, screens: screens, isShuttingDown: isShuttingDown)
  }

  /// Lets the decider handle everything that is due.
  func tickDecider() {
    perform(decider.tick(at: now))
  }

  func shutDownDecider() {
    perform(decider.shutDown(at: now) { recorded })
  }

  private func appended(_ step: Int, _ result: AuditLog.AppendResult) {
    perform(decider.appended(step, result, at: now) { recorded })
    finishShutDownIfDone()
  }

  private func perform(_ new: [Effect]) {
    effects.queue.append(contentsOf: new)
    guard !effects.isPerforming else { return }
    effects.isPerforming = true
    while !effects.queue.isEmpty {
      let due = effects.queue
      effects.queue = []
      for effect in due { perform(effect) }
    }
    effects.isPerforming = false
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .append(let append, let step):
      log.append(append) { [weak self] result in self?.send { $0.appended(step, result) } }
    case .decided(let events): noteDecided(events)
    case .follow(let events, let seq, let time, let fact): follow(events, through: seq, at: time, fact: fact)
    case .lost(let events, let error): lost(events, error)
    case .reply(let id, let result): if let id { effects.replies.removeValue(forKey: id)?(self, result) }
    case .refuse(let fact, let error): refuse(fact, error)
    case .showCommitted: showCommitted()
    case .retry: log.retry()
    case .flush: log.flush()
    case .resumed: logger.notice("the audit log can be written again")
    case .stop: stop()
    case .lookUp(let lookUp): look(up: lookUp)
    case .become(let other): decider = other
    case .send(let input, let number): shared?.link.send(input, number: number)
    case .replied(let inbox): shared?.link.recorded(inbox)
    case .steppedDown: shared?.link.steppedDown()
    }
  }

  /// Looks up the key of a request, on any host, that an ended presentation may have used.
  private func look(up lookUp: KeyLookUp) {
    guard let key = lookUp.ask.key else { return decide(.shared(.lookedUp(lookUp, .success(nil)))) }
    // Ends after one query.
    Task(executorPreference: executor) {
      let result: Result<PresentationID?, RouterError>
      do {
        result = .success(try await self.ended(key, in: key.scope(of: lookUp.ask.requester))?.id)
      } catch {
        result = .failure(RouterError(reading: error))
      }
      self.send { $0.decide(.shared(.lookedUp(lookUp, result))) }
    }
  }

  /// Fails all replies that still wait for a decision.
  func failReplies(_ error: RouterError) {
    let replies = effects.replies
    effects.replies = [:]
    for id in replies.keys.sorted() { replies[id]?(self, .failure(error)) }
  }
}
