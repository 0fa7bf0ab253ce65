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

// Both ignore unknown members of newer versions.

extension Requester: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("app", app)
    process.addMembers(to: &writer)
  }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    app = try reader.requiredString("app")
    process = try ProcessIdentity(reading: &reader)
  }
}

extension Resolver: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    process.addMembers(to: &writer)
    writer.add("presenter", optional: presenter)
  }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    process = try ProcessIdentity(reading: &reader)
    presenter = try reader.string("presenter")
  }
}

extension ProcessIdentity {
  fileprivate func addMembers(to writer: inout JSONWriter) {
    writer.add("uid", Int(uid))
    writer.add("gid", Int(gid))
    writer.add("pid", Int(pid))
    writer.add("executable", optional: executable)
    writer.add("unit", ifPresent: unit)
    if !host.isEmpty { writer.add("host", host) }
    writer.add("directory", ifPresent: directory)
    if !ancestry.isEmpty { writer.add("ancestry", text: ancestryJSON) }
  }

  fileprivate init(reading reader: inout JSONObjectReader) throws(JSONError) {
    let uid = try reader.uid("uid")
    guard let pid = try reader.count("pid").flatMap(Int32.init(exactly:)) else { throw reader.error("is missing", at: "pid") }
    self.init(
      uid: uid, gid: try reader.count("gid").flatMap(UInt32.init(exactly:)) ?? 0, pid: pid,
      executable: try reader.string("executable"), unit: try reader.string("unit"), host: try reader.string("host") ?? "",
      directory: try reader.string("directory"), ancestry: try reader.objects("ancestry", ProcessAncestor.init))
  }
}

extension Unicode.Scalar {
  /// Whether it is allowed in the name of an app, surface, sheet or button.
  var isNameScalar: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}
