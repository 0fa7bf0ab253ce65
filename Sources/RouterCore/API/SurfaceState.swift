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
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    name = try f("name", \.name)
    presented = try f("presented", \.presented)
    waiting = try f("waiting", \.waiting)
    presenters = try f("presenters", \.presenters)
    pauses = try f("pauses", ifAbsent: [], \.pauses)
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
