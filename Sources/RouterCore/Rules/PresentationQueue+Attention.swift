/// Which prompt a person wants to see: not this one now, or that one first.
extension PresentationQueue {
  /// How long a prompt may be snoozed.
  package static let snoozeTimes = Duration.seconds(10)...Duration.seconds(86_400)

  /// Takes a presentation off the screen, or out of the line, until a time, and keeps its place. Its `timeout` runs on.
  mutating func snooze(
    _ id: PresentationID, generation: Int?, for duration: Duration, by resolver: Presentation.Responder?, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    guard let entry = open[id] else { throw .notOpen }
    if entry.isShown || generation != nil { try open.checkShown(id, generation: generation) }
    try Self.checkSnooze(duration)
    if let left = entry.timeLeft(at: now.boot), left <= duration {
      throw .answerDoesNotFit(JSONError("must end before the prompt expires, in \(left.wholeSeconds) s", at: "/for"))
    }
    let until = now.wall.advanced(by: duration)
    return decide(at: now) { queue in
      if entry.isShown {
        queue.takeDown(id, until: until, by: resolver)
      } else {
        queue.record(.deferred(Event.Deferred(until: until, by: resolver)), of: id)
      }
    }
  }

  static func checkSnooze(_ duration: Duration) throws(PresentationRejection) {
    guard !snoozeTimes.contains(duration) else { return }
    throw .answerDoesNotFit(JSONError("must be from 10 seconds to 24 hours", at: "/for"))
  }

  /// Puts a shown presentation back in its place, for as long as it is not its turn, or until a time.
  mutating func takeDown(_ id: PresentationID, until: Timestamp?, by resolver: Presentation.Responder?) {
    let entry = open[id]!
    let withdrawn = Event.Withdrawn(
      reason: .snoozed, generation: entry.presentation.generation, place: entry.presentation.place,
      shownFor: entry.shownFor(at: now.boot), until: until, by: resolver)
    record(.withdrawn(withdrawn), of: id)
  }

  /// Ends a snooze before its time.
  mutating func wake(
    _ id: PresentationID, by resolver: Presentation.Responder, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    guard let entry = open[id] else { throw .notOpen }
    guard entry.isSnoozed else { return [] }
    return decide(at: now) { $0.record(.woken(Event.Woken(by: resolver)), of: id) }
  }

  /// Shows a waiting presentation in place of the current stack, which goes back to the head of the line.
  mutating func raise(
    _ id: PresentationID, by resolver: Presentation.Responder, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    guard let entry = open[id] else { throw .notOpen }
    if entry.isCovered { throw .covered }
    if entry.isShown { return [] }
    guard entry.request.over == nil, entry.heldUntil == nil, !isPaused else { throw .cannotRaise }
    guard mayBeShown(id) else { throw .noPresenter }
    return decide(at: now) { queue in
      queue.withdrawStack(.raised, by: resolver)
      queue.show(id)
    }
  }
}
