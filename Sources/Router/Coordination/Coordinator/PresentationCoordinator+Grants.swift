extension PresentationCoordinator {
  /// The grants in force on record, in the order in which they were given.
  package var grants: [Grant] { committed.standing.grants(at: clock.now()) }

  /// A grant in force on record; `nil` if there is none with the id.
  package func grant(_ id: GrantID) -> Grant? { committed.standing.grant(id, at: clock.now()) }

  /// Ends a grant on behalf of its giver, its beneficiary or an administrator. Calls `completion` once the end is recorded.
  ///
  package func revoke(
    _ id: GrantID, by resolver: Presentation.Responder, isAdmin: Bool,
    then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void
  ) {
    decide(.revoke(id, by: resolver, isAdmin: isAdmin), then: completion)
  }

  /// Ends a grant for a reason that no person gave.
  package func end(_ id: GrantID, because reason: Event.Revoked.Reason) {
    decide(.revoke(id, by: nil, because: reason, isAdmin: true)) { _ in }
  }

  /// Applies an input that concerns no open presentation. Calls `completion` once it is recorded.
  private func decide(
    _ input: PresentationInput, then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void
  ) {
    if let unavailable { return completion(.failure(unavailable)) }
    decide(.change(input)) { completion($1.map { _ in }) }
  }
}

extension PresentationCoordinator {
  /// The pauses in force on record.
  package var pauses: [SessionPause] { committed.standing.pauses.list(at: clock.now()) }

  /// Ends a pause early. Calls `completion` once the end is recorded.
  ///
  /// - Parameter id: The presentation at which the session was paused.
  package func endPause(
    _ id: PresentationID, by resolver: Presentation.Responder,
    then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void
  ) {
    decide(.endPause(id, by: resolver), then: completion)
  }
}

extension PresentationCoordinator {
  /// Whether Router is on, as recorded.
  package var switched: Switch { committed.standing.switched.at(now) }

  /// Switches Router off or on. Calls `completion` once that is recorded.
  ///
  /// - Parameter duration: How long it stays off; `nil` for the longest time.
  package func turn(
    off isOff: Bool, for duration: Duration?, by resolver: Presentation.Responder,
    then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void
  ) {
    decide(.turn(isOff: isOff, for: duration, by: resolver), then: completion)
  }
}

extension PresentationCoordinator {
  /// The rules in force on record; `nil` if there are none.
  package var rules: RuleSet? { committed.standing.rules }

  /// Puts rules in force for later requests. Calls `completion` once they are recorded.
  package func load(
    _ rules: Event.RulesLoaded, then completion: @escaping @Sendable (Result<Void, RouterError>) -> Void = { _ in }
  ) {
    if isShuttingDown, let unavailable { return completion(.failure(unavailable)) }
    var rules = rules
    if !host.isEmpty { rules.rules = rules.rules.on(host) }
    decide(.load(rules)) { completion($1.map { _ in }) }
  }

  /// Whether a process may be an agent that recently sent a request to this coordinator.
  package func mayBeRecentAgent(_ other: ProcessIdentity?) -> Bool {
    other.map { committed.agents.mayInclude($0, besides: process, at: clock.now()) } ?? false
  }
}
