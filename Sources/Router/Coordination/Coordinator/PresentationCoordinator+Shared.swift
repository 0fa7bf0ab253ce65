/// Calls of the database's worker for a coordinator of a shared surface.
extension PresentationCoordinator {
  private var leading: LeadingDecider? { decider as? LeadingDecider }
  var following: FollowingDecider? { decider as? FollowingDecider ?? leading?.following }

  package var isLeading: Bool { leading != nil }
  package var isConnected: Bool { following?.isAway == false }

  /// Handles the leader's reply to an input, after the events that it led to.
  package func replied(to number: Int, _ reply: SharedReply) { following?.replied(to: number, reply, self) }

  /// Acts on events that the leader has recorded.
  ///
  /// - Parameter seq: The number of the event before them.
  package func follow(_ events: [Event], after seq: Int64) {
    guard !isLeading else { return }
    // As the leader, it has followed what its own copy did not get.
    let new = Array(events.dropFirst(Int(clamping: max(0, followed - seq))))
    if !new.isEmpty { follow(new, through: seq + Int64(events.count), at: clock.now()) }
  }

  /// The database can be reached again, and all recorded events have been followed.
  package func connected() {
    guard let following, following.isAway else { return }
    following.isAway = false
    for surface in screens.presenters.keys { showCommitted(on: surface) }
  }

  /// The database cannot be reached: takes down the prompts, since another host may lead by now.
  package func disconnected() {
    guard let following, !following.isAway else { return }
    following.isAway = true
    for surface in screens.presenters.keys { takeDown(on: surface) }
  }

  /// Stops a coordinator that shuts down, without waiting for the leader.
  package func giveUp() {
    if isShuttingDown, !isLeading { stop() }
  }

  /// Reports all presenters of this host to a new leader.
  package func reportPresenters() { (decider as? FollowingDecider)?.reportPresenters(self) }

  /// Takes over the lead, once all recorded events have been followed.
  ///
  /// - Parameter hosts: The other hosts that are there. Nothing is shown until they have reported their presenters, or
  ///   until ``showWithoutAwaited()``.
  package func takeOver(awaiting hosts: Set<String>) {
    guard let following = decider as? FollowingDecider, !isShuttingDown else { return }
    guard contradiction == nil else { return following.shared.link.steppedDown() }
    committed.setDeadlines(at: now)
    decider = LeadingDecider(from: following, awaiting: hosts, backoff: backoff, self)
  }

  /// Shows prompts although some hosts have not reported their presenters.
  package func showWithoutAwaited() { leading?.showWithoutAwaited(self) }

  /// Decides an input of another host. See ``LeadingDecider/receive(_:from:row:_:)``.
  package func receive(_ input: SharedInput?, from host: String, row: Int64) {
    if !isShuttingDown { leading?.receive(input, from: host, row: row, self) }
  }

  /// A host is gone: its attached requests end, and its presenters are detached.
  package func hostGone(_ host: String) {
    if !isShuttingDown { leading?.hostGone(host, self) }
  }

  /// Checks that this host still leads. If it does not, it follows the new leader.
  package func checkLeadership() { leading?.checkLeadership(self) }
}
