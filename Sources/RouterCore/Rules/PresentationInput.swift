/// An input of the rules, except time.
package enum PresentationInput: Sendable, Hashable {
  indirect case request(PresentationAsk)
  /// A change to an open presentation.
  case change(Change)
  /// Ends a pause early. The presentation at which the person paused identifies it.
  case endPause(PresentationID, by: Presentation.Responder)
  /// Ends a grant, on behalf of the user who gave it, the user it serves, or an administrator; `by` is `nil` for a reason other
  /// than a person.
  case revoke(GrantID, by: Presentation.Responder?, because: Event.Revoked.Reason? = nil, isAdmin: Bool)
  /// Puts rules in force.
  case loadRules(Event.RulesLoaded)
  /// Switches Router on, or off for a time; `nil` for the longest.
  case turn(isOff: Bool, for: Duration?, by: Presentation.Responder)
  case presenterAttached(PresenterID, PresenterIdentity, surface: String)
  case presenterDetached(PresenterID, surface: String)

  package static func change(
    _ id: PresentationID, _ verb: any Verb, generation: Int? = nil, by: Presentation.Responder? = nil, isAdmin: Bool = false
  ) -> PresentationInput {
    .change(Change(id, verb, generation: generation, by: by, isAdmin: isAdmin))
  }
}
