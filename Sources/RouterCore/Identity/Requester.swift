extension Presentation {
  /// The party that sent a request.
  public struct Requester: Sendable, Hashable {
    /// The app name, as given by the program.
    public package(set) var app: String
    public package(set) var process: ProcessIdentity

    package init(app: String, process: ProcessIdentity) {
      self.app = app
      self.process = process
    }
  }
}

/// Ignores unknown members of newer versions.
extension Presentation.Requester: JSONObject, SampledPart {
  package static var schema: JSONValue { .schema("Requester") }
  package static var sample: Self { Self(app: "", process: ProcessIdentity(uid: 0, gid: 0, pid: 1)) }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("app", app)
    writer.add(membersOf: process.text)
  }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    app = try reader.required("app")
    process = try ProcessIdentity(reading: &reader)
  }
}
