extension Presentation {
  /// The party that answered, dismissed or canceled a presentation.
  public struct Responder: Sendable, Hashable {
    public package(set) var process: ProcessIdentity
    /// The name of the presenter, if the party acted through one.
    public package(set) var presenter: String?

    package init(process: ProcessIdentity, presenter: String? = nil) {
      self.process = process
      self.presenter = presenter
    }
  }
}

extension Presentation.Responder: Record {
  package static var schemaName: String { "Resolver" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    process = try f.inline(\.process)
    presenter = try f(orNull: "presenter", \.presenter, "The presenter's name, if any.")
  }
}
