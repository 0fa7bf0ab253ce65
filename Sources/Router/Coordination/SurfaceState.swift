/// A surface that is in use.
package struct SurfaceState: Sendable, Hashable {
  package let name: String
  /// The stack, bottom first.
  package let presented: [PresentationID]
  package let waiting: Int
  package let presenters: [AttachedPresenter]
  package let pauses: [SessionPause]

  package var json: JSONValue {
    [
      "name": .string(name), "presented": .array(presented.map { .string($0.description) }),
      "waiting": .integer(waiting), "presenters": .array(presenters.map(\.json)), "pauses": .array(pauses.map(\.json)),
    ]
  }
}
