extension ProcessIdentity: Record {
  package init(_ f: inout RouterCore.Fields<Self>) throws(JSONError) { self.init(try f.inline(\.fields)) }

  /// Adds the members from their cached encoding.
  package func addMembers(to writer: inout JSONWriter) { writer.add(membersOf: text) }

  /// Decodes the format of ``ancestryText``.
  package static func ancestry(json: JSONValue) throws(JSONError) -> [Ancestor] {
    var reader = try JSONObjectReader(json)
    return try reader("ancestry") ?? []
  }
}

extension ProcessIdentity.Fields: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    uid = try f("uid", \.uid)
    gid = try f("gid", ifAbsent: 0, \.gid)
    pid = try f("pid", \.pid, "", ["type": "integer", "minimum": 0])
    loginUser = try f(
      "loginUid", \.loginUser, "The login user, if it is a different one: su and sudo do not change it.")
    executable = try f(orNull: "executable", \.executable)
    executableDoubt = try f("executableDoubt", \.executableDoubt)
    unit = try f("unit", \.unit, "", .schema("Unit"))
    host =
      try f("host", { $0.host.isEmpty ? nil : $0.host }, "Host of the process, on a shared surface.", .schema("Name")) ?? ""
    directory = try f(
      "directory", \.directory,
      "The process's working directory when the connection was accepted; absent if unreadable.")
    ancestry = try f(
      "ancestry", \.ancestry,
      "The process and its ancestors when the connection was accepted, nearest first; absent if unreadable.",
      ["type": "array", "minItems": 1, "maxItems": 16, "items": ProcessIdentity.Ancestor.schema])
  }
}
