/// Router switched off or on by a person. Recorded by the event `switched`.
///
/// While Router is off, nothing is shown, and front ends act as if Router were not installed.
package struct Switch: Sendable, Hashable {
  package let isOff: Bool
  /// When Router switches on again by itself; `nil` if it is on.
  package fileprivate(set) var until: Timestamp?
  /// Who switched it; `nil` if nobody ever did.
  package let by: Presentation.Responder?

  /// The longest time off, so that a machine on which nobody switches it on again does not stay without prompts.
  package static let longest = Duration.seconds(86_400)
  package static let on = Switch(isOff: false, by: nil)

  package init(isOff: Bool, until: Timestamp? = nil, by: Presentation.Responder?) {
    (self.isOff, self.until, self.by) = (isOff, isOff ? until : nil, by)
  }
}

extension Switch: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    isOff = try f("off", \.isOff, "Whether nothing is shown, and front ends act as if Router were not installed.")
    until = try f("until", \.until, "When it switches on again by itself.")
    by = try f("by", \.by)
  }
}

/// The last switch, with its end on the boot clock, which is unaffected by changes of the wall clock.
package struct SwitchInForce: Sendable {
  private var last = Switch.on
  /// The boot time at which Router switches on by itself; `nil` if it is on.
  private(set) var deadline: Duration?

  package init() {}

  mutating func apply(_ change: Switch, deadline: Duration?) { (last, self.deadline) = (change, deadline) }

  func isOff(at now: Duration) -> Bool { last.isOff && deadline.map { now < $0 } ?? true }

  /// Returns the switch at a time, with its end by the current wall clock.
  package func at(_ now: Moment) -> Switch {
    guard last.isOff, let deadline else { return last }
    guard isOff(at: now.boot) else { return .on }
    var copy = last
    copy.until = now.wall.advanced(by: deadline - now.boot)
    return copy
  }

  /// The switch as it is recorded, without regard to its end.
  package var recorded: Switch { last }
}

extension PresentationSurfaces {
  /// Switches Router off or on.
  ///
  /// Off ends the requests whose programs can do without Router, and lets the others wait.
  mutating func turn(
    isOff: Bool, for duration: Duration?, by: Presentation.Responder, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    if let duration {
      if !isOff { throw .answerDoesNotFit(JSONError("must not be set to switch on", at: "/for")) }
      try Verbs.Snooze.check(duration)
    }
    if let own = policy.own, state.agents.mayInclude(by.process, besides: own, at: now.boot) { throw .agentSwitch }
    let change = Switch(isOff: isOff, until: now.wall.advanced(by: duration ?? Switch.longest), by: by)
    let events = decide(at: now) { $0.record(.switched(change)) }
    onAt = standing.switched.deadline
    return events
      + onEach(names, at: now) { surfaces in
        guard isOff else { return }
        for id in surfaces.open.topsFirst where surfaces.open[id]?.request.noPresenter.endsWhenOff == true {
          surfaces.resolve(id, .cancelled(.off), by: by)
        }
        surfaces.withdrawStack(.presenterGone)
      }
  }

  // Without a copy: each question whether something may be shown asks this.
  var isOff: Bool { state.standing.switched.isOff(at: now.boot) }
}
