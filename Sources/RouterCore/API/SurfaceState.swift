/// A surface that is in use.
package struct SurfaceState: Sendable, Hashable {
  package let name: String
  /// The stack, bottom first.
  package let presented: [PresentationID]
  package let waiting: Int
  package let presenters: [AttachedPresenter]
  package let pauses: [SessionPause]

  package init(
    name: String, presented: [PresentationID], waiting: Int, presenters: [AttachedPresenter], pauses: [SessionPause]
  ) {
    (self.name, self.presented, self.waiting) = (name, presented, waiting)
    (self.presenters, self.pauses) = (presenters, pauses)
  }
}

extension SurfaceState: Record {
  package static var schemaName: String { "Surface" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    name = try f("name", \.name, "", .schema("Name"))
    presented = try f("presented", \.presented, "The stack, bottom first.")
    waiting = try f("waiting", \.waiting)
    presenters = try f("presenters", \.presenters, "The presenters that showed it: the first 32 of each host.")
    pauses = try f("pauses", ifAbsent: [], \.pauses, "The paused sessions.")
  }
}

/// The response of `GET /v1/surfaces`.
package struct SurfaceList: Sendable, Hashable {
  package let surfaces: [SurfaceState]

  package init(_ surfaces: [SurfaceState]) { self.surfaces = surfaces }
}

extension SurfaceList: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) { surfaces = try f("surfaces", \.surfaces) }
}
