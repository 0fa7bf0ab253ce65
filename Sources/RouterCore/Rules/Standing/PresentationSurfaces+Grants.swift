extension PresentationSurfaces {
  /// Revokes a grant.
  mutating func revoke(
    _ id: GrantID, by resolver: Presentation.Responder?, because reason: Event.Revoked.Reason?, isAdmin: Bool, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    guard let grant = standing.grant(id), resolver.map({ isAdmin || grant.concerns($0.process.owner) }) ?? true else {
      throw .noGrant
    }
    return decide(at: now) { $0.record(.revoked(Event.Revoked(grant: id, by: resolver, because: reason))) }
  }

  /// Checks that a user may have another grant.
  func checkRoom(for grant: Grant) throws(PresentationRejection) {
    let owner = grant.condition.owner
    guard standing.count(of: owner, at: now.boot) < policy.grants.perUser,
      standing.bytes(of: owner) + grant.bytes <= limits.bytesPerUser
    else { throw .full(.grants) }
  }

  /// Ends the queued requests that a new grant answers. Shown and held requests stay.
  mutating func settleWaiting(by grant: Grant) {
    let standing = Standing([grant], at: now)
    let waiting = open.entries.values.filter { !$0.isShown && $0.heldUntil == nil && $0.presentation.offer != nil }
      .sorted { ($0.presentation.place, $0.id) < ($1.presentation.place, $1.id) }
    for entry in waiting {
      let presentation = entry.presentation
      let found = standing.grant(
        for: entry.request, by: presentation.requester, presentation.offer, policy.selfAnswer, policy.grants.commands,
        at: now.boot)
      guard let found, found.obstacle == nil else { continue }
      resolve(entry.id, .answered(.button(grant.button)), by: grant.by, because: .grant(grant.id))
    }
  }
}

extension Grant {
  /// Whether a user gave the grant or benefits from it.
  package func concerns(_ owner: Owner) -> Bool { condition.owner == owner || by.process.owner == owner }
}

extension Presentation {
  /// Returns the grant that an answer creates.
  ///
  /// - Throws: ``JSONError`` if the request does not offer the choice.
  func grant(
    _ answer: PresentationAnswer, _ choice: GrantChoice?, by resolver: Responder?, at now: Timestamp
  ) throws(JSONError) -> Grant {
    guard let offer, let act = request.act, let resolver, let choice, let id = choice.id else {
      throw JSONError("the request offers no remembered answers", at: "/remember")
    }
    guard case .button(let name) = answer, let button = request.buttons.first(where: { $0.id == name }),
      offer.buttons.contains(name)
    else {
      let buttons = offer.buttons.joined(separator: ", ")
      throw JSONError("only these answers can be remembered: \(buttons)", at: "/remember")
    }
    guard PromptCautions(request, by: requester).others.reduce(0, { $0 + $1.utf8.count }) <= Grant.maximumCautions else {
      throw JSONError("the prompt says to look twice at too much to be remembered", at: "/remember")
    }
    guard let width = offer.widths.first(where: { $0.match == choice.width.match }),
      choice.width.count == nil || choice.width.count == width.count, let part = act.part(width)
    else {
      let matches = offer.widths.map { width in width.match.rawValue + (width.count.map { " of \($0)" } ?? "") }
      throw JSONError("must be one of \(matches.joined(separator: ", "))", at: "/remember/match")
    }
    guard offer.periods.contains(choice.period) || choice.period.isShorter(than: offer.periods) else {
      let periods = offer.periods.map(\.description).joined(separator: ", ")
      throw JSONError("must be one of \(periods), or shorter", at: "/remember/for")
    }
    var fitting = choice
    fitting.width = width
    return Grant(id, fitting, button, of: self, offer, part, by: resolver, at: now)
  }
}

extension PresentationRequest.Remember.Period {
  /// Whether the period is shorter than one of the offered ones.
  fileprivate func isShorter(than offered: [PresentationRequest.Remember.Period]) -> Bool {
    guard case .seconds(let seconds) = self else { return false }
    return offered.contains { if case .seconds(let longest) = $0 { seconds < longest } else { false } }
  }
}
