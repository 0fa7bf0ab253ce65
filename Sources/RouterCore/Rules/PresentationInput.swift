/// An input of the rules, other than time.
package enum PresentationInput: Sendable, Hashable {
  indirect case request(PresentationAsk)
  /// Something that is done to an open presentation.
  case change(Change)
  /// Ends a pause, named by the presentation that it was made at, before its time.
  case endPause(PresentationID, by: Presentation.Responder)
  /// Ends a grant, for the user who gave it or whom it serves, or for an administrator; `by` is `nil` if the process that it is
  /// bound to has ended.
  case revoke(GrantID, by: Presentation.Responder?, isAdmin: Bool)
  /// Puts rules in force.
  case loadRules(Event.RulesLoaded)
  case presenterAttached(PresenterID, PresenterIdentity, surface: String)
  case presenterDetached(PresenterID, surface: String)

  package static func change(
    _ id: PresentationID, _ verb: any Verb, generation: Int? = nil, by: Presentation.Responder? = nil, isAdmin: Bool = false
  ) -> PresentationInput {
    .change(Change(id, verb, generation: generation, by: by, isAdmin: isAdmin))
  }
}
