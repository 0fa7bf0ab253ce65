extension Presentation {
  /// The party that answered, dismissed or canceled a presentation.
  public struct Responder: Sendable, Hashable {
    public package(set) var process: ProcessIdentity
    /// The name of the presenter, if it acted through one.
    public package(set) var presenter: String?

    package init(process: ProcessIdentity, presenter: String? = nil) {
      self.process = process
      self.presenter = presenter
    }
  }
}

/// Ignores unknown members of newer versions.
extension Presentation.Responder: JSONObject, SampledPart {
  package static var schema: JSONValue { .schema("Resolver") }
  package static var sample: Self { Self(process: ProcessIdentity(uid: 0, gid: 0, pid: 1)) }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add(membersOf: process.text)
    writer.add("presenter", optional: presenter)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    process = try ProcessIdentity(reading: &reader)
    presenter = try reader.string("presenter")
  }
}
