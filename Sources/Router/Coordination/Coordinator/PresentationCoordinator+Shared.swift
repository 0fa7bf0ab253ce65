/// Calls from the database's worker to the coordinator of a shared surface.
extension PresentationCoordinator {
  package var isLeading: Bool { decider.status.isLeading }
  package var isConnected: Bool { shared != nil && !decider.isAway }

  /// Handles the leader's reply to an input, after the resulting events.
  package func replied(to number: Int, _ reply: SharedReply) {
    decide(.shared(.replied(number, reply)))
    finishShutDownIfDone()
  }

  /// Acts on events that the leader has recorded.
  ///
  /// - Parameter seq: The number of the event before them.
  package func follow(_ events: [Event], after seq: Int64) {
    guard !isLeading else { return }
    // As leader, this host has already applied events that its copy did not receive.
    let new = Array(events.dropFirst(Int(clamping: max(0, followed - seq))))
    if !new.isEmpty { follow(new, through: seq + Int64(events.count), at: clock.now()) }
  }

  /// The database can be reached again, and all recorded events have been followed.
  package func connected() {
    guard shared != nil, decider.isAway else { return }
    decide(.shared(.connected(true)))
    for surface in screens.presenters.keys { showCommitted(on: surface) }
  }

  /// The database cannot be reached. Withdraws the prompts, since another host may lead by now.
  package func disconnected() {
    guard isConnected else { return }
    decide(.shared(.connected(false)))
    for surface in screens.presenters.keys { takeDown(on: surface) }
  }

  /// Stops a coordinator during its shutdown, without waiting for the leader.
  package func giveUp() {
    if isShuttingDown, !isLeading { stop() }
  }

  /// Reports all presenters of this host to a new leader.
  package func announcePresenters() { decide(.shared(.announcePresenters)) }

  /// Takes over the lead, once all recorded events have been followed.
  ///
  /// - Parameter hosts: The other attached hosts. Nothing is shown until they have reported their presenters, or until
  ///   ``showWithoutAwaited()``.
  package func takeOver(awaiting hosts: Set<String>) {
    guard !isLeading, !isShuttingDown else { return }
    guard contradiction == nil else { return shared?.link.steppedDown() ?? () }
    committed.setDeadlines(at: now)
    decide(.shared(.takeOver(awaiting: hosts)))
  }

  /// Shows prompts although some hosts have not reported their presenters.
  package func showWithoutAwaited() { decide(.shared(.showWithoutAwaited)) }

  /// Decides an input of another host.
  ///
  /// - Parameters:
  ///   - input: The input; `nil` if it cannot be decoded.
  ///   - row: The row of the inbox, which is marked as processed with the resulting events.
  package func receive(_ input: SharedInput?, from host: String, row: Int64) {
    if !isShuttingDown { decide(.shared(.row(input, from: host, row))) }
  }

  /// Handles the loss of a host: its attached requests end, and its presenters are detached.
  package func hostGone(_ host: String) {
    if !isShuttingDown { decide(.shared(.hostGone(host))) }
  }

  /// Checks that this host still leads. If it does not, it follows the new leader.
  package func checkLeadership() { decide(.shared(.checkLeadership)) }
}
