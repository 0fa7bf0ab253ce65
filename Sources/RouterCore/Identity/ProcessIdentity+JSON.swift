extension ProcessIdentity {
  /// Decodes the members of a process, which are part of a requester or a resolver.
  package init(reading reader: inout JSONObjectReader) throws(JSONError) {
    let uid = try reader.required("uid", as: UInt32.self)
    guard let pid = try reader.count("pid").flatMap(Int32.init(exactly:)) else { throw reader.error("is missing", at: "pid") }
    self.init(
      uid: uid, gid: try reader.count("gid").flatMap(UInt32.init(exactly:)) ?? 0, pid: pid,
      executable: try reader.string("executable"), executableDoubt: try reader("executableDoubt"),
      unit: try reader.string("unit"), host: try reader.string("host") ?? "",
      directory: try reader.string("directory"), ancestry: try reader.objects("ancestry", Ancestor.init))
    if let user = try reader.count("loginUid").flatMap(UInt32.init(exactly:)) { loginUser = user }
  }

  /// Decodes the format of ``ancestryText``.
  package static func ancestry(json: JSONValue) throws(JSONError) -> [Ancestor] {
    var reader = try JSONObjectReader(json)
    return try reader.objects("ancestry", Ancestor.init)
  }
}
