import Router

/// The replies that the clients of a crash loop received before the daemon was killed.
actor CrashTally {
  /// The accepted requests.
  private(set) var accepted: Set<PresentationID> = []
  /// The acknowledged answers of each presentation.
  private(set) var answered: [PresentationID: [String]] = [:]
  /// The outcomes reported to requesters.
  private(set) var heard: [PresentationID: PresentationOutcome] = [:]
  /// The presentations whose remembered answer was acknowledged, and the grants whose end was.
  private(set) var remembered: Set<PresentationID> = []
  private(set) var revoked: Set<GrantID> = []
  private var kills = 0
  private var victim: (process: ChildProcess, signal: Int32, after: Int)?

  /// Signals a process after a number of further replies.
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

  func remember(_ id: PresentationID) {
    remembered.insert(id)
    count()
  }

  func revoke(_ id: GrantID) {
    revoked.insert(id)
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
    "\(kills) times stopped, \(accepted.count) accepted, \(answered.count) answers acknowledged, \(heard.count) outcomes heard, "
      + "\(remembered.count) answers remembered, \(revoked.count) revoked"
  }
}
