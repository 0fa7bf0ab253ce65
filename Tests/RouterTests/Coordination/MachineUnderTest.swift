@testable import Router

/// The machine as the random test drives it: with a journal of what may have to be taken back, and, where the test is
/// itself tested, with a fault between the machine and the checks.
struct MachineUnderTest {
  var surfaces: PresentationSurfaces
  let limits: PresentationSurfaces.Limits
  let fault: Fault?
  /// The decisions since ``mark()``.
  var journal: [PresentationSurfaces.Decision]?
  var memory = Fault.Memory()

  init(limits: PresentationSurfaces.Limits, fault: Fault?) {
    self.limits = limits
    self.fault = fault
    surfaces = PresentationSurfaces(limits: fault?.corrupted(limits) ?? limits)
  }

  mutating func handle(_ event: PresentationEvent, at now: Duration) throws(PresentationRejection) -> [PresentationChange] {
    guard let fault else { return note(try surfaces.handle(event, at: now)) }
    if let refusal = fault.refusal(of: event, by: surfaces) { throw refusal }
    let decision = try surfaces.handle(fault.corrupted(event, with: &memory), at: now)
    return fault.corrupted(note(decision), by: event, with: &memory, in: &surfaces, at: now)
  }

  mutating func expire(at now: Duration) -> [[PresentationChange]] {
    guard let fault else { return surfaces.expire(at: now).map { note($0) } }
    let early = fault.endsEarly(with: memory, in: &surfaces, at: now)
    let due = surfaces.expire(at: fault == .expiresLate ? now - .milliseconds(1) : now).map { note($0) }
    return early + due.map { fault.corrupted($0, by: nil, with: &memory, in: &surfaces, at: now) }
  }

  mutating func pause() {
    if fault != .showsWhilePaused { surfaces.pause() }
  }

  mutating func resume(at now: Duration) -> [[PresentationChange]] {
    surfaces.resume(at: now).map { note($0) }
  }

  /// From here on ``revert()`` can take back.
  mutating func mark() {
    journal = []
  }

  mutating func revert() {
    let decisions = journal ?? []
    surfaces.revert(fault == .takesBackTooLittle ? Array(decisions.dropFirst()) : decisions)
    journal = nil
  }

  /// Starts anew from what was on record.
  mutating func restart(with record: [String: [PresentationQueue.Entry]]) {
    surfaces = PresentationSurfaces(limits: surfaces.limits)
    for (surface, entries) in record { surfaces.restore(fault?.corrupted(entries) ?? entries, on: surface) }
    journal = nil
    memory = Fault.Memory()
  }

  var nextDeadline: Duration? {
    surfaces.nextDeadline.map { fault == .wakesLate ? $0 + .milliseconds(1) : $0 }
  }

  func view(of surface: String) -> SurfaceView {
    let view = surfaces.view(of: surface)
    return fault?.corrupted(view, with: memory) ?? view
  }

  private mutating func note(_ decision: PresentationSurfaces.Decision) -> [PresentationChange] {
    journal?.append(decision)
    return decision.changes
  }
}
