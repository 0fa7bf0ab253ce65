/// The party that answered, dismissed or canceled a presentation.
public struct Resolver: Sendable, Hashable {
  public var process: ProcessIdentity
  /// The name of the presenter, if it acted through one.
  public var presenter: String?

  public init(process: ProcessIdentity, presenter: String? = nil) {
    self.process = process
    self.presenter = presenter
  }
}

/// Ignores unknown members of newer versions.
extension Resolver: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add(membersOf: process.text)
    writer.add("presenter", optional: presenter)
  }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    process = try ProcessIdentity(reading: &reader)
    presenter = try reader.string("presenter")
  }
}
