/// The party that sent a request.
public struct Requester: Sendable, Hashable {
  /// The app name, as given by the program.
  public var app: String
  public var process: ProcessIdentity

  public init(app: String, process: ProcessIdentity) {
    self.app = app
    self.process = process
  }
}

/// Ignores unknown members of newer versions.
extension Requester: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("app", app)
    writer.add(membersOf: process.text)
  }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    app = try reader.requiredString("app")
    process = try ProcessIdentity(reading: &reader)
  }
}
