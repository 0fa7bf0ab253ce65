extension Presentation {
  /// The party that sent a request.
  public struct Requester: Sendable, Hashable {
    /// The app name, as claimed by the program.
    public package(set) var app: String
    public package(set) var process: ProcessIdentity

    package init(app: String, process: ProcessIdentity) {
      self.app = app
      self.process = process
    }
  }
}

extension Presentation.Requester: Record {
  package static var about: String {
    "Who asked: uid, gid and pid from the kernel at connect time; executable to ancestry from /proc when the connection was accepted; app as claimed by the program."
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    app = try f("app", \.app, "", .schema("Name"))
    process = try f.inline(\.process)
  }
}
