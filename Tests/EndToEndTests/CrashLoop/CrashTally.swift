import Router

/// What the clients of a crash loop were told, by a daemon that then was killed.
actor CrashTally {
  /// What was accepted.
  private(set) var accepted: Set<PresentationID> = []
  /// The answers that were acknowledged, and how often.
  private(set) var answered: [PresentationID: [String]] = [:]
  /// Outcomes that requesters heard of.
  private(set) var heard: [PresentationID: PresentationOutcome] = [:]
  private var kills = 0
  private var victim: (process: ChildProcess, signal: Int32, after: Int)?

  /// Ends a process after so many more of the things that are counted here.
  func kill(_ process: ChildProcess, with signal: Int32, after count: Int) {
    victim = (process, signal, count)
  }

  func accept(_ id: PresentationID) {
    accepted.insert(id)
    count()
  }

  func answer(_ id: PresentationID, _ button: String) {
    answered[id, default: []].append(button)
    count()
  }

  func hear(_ presentation: Presentation) {
    accepted.insert(presentation.id)
    heard[presentation.id] = presentation.outcome
    count()
  }

  private func count() {
    guard let (process, signal, after) = victim else { return }
    victim = after > 1 ? (process, signal, after - 1) : nil
    guard after <= 1 else { return }
    kills += 1
    process.signal(signal)
  }

  var summary: String {
    "\(kills) times stopped, \(accepted.count) accepted, \(answered.count) answers acknowledged, \(heard.count) outcomes heard"
  }
}
