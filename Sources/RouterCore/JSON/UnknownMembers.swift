/// What decoding does with members that no type knows.
enum UnknownMembers {
  /// Whether all decoded objects may have them, and not only those that declare it with ``Record/ignoresUnknown``.
  @TaskLocal static var areIgnored = false
}

extension JSONPart {
  /// Decodes a part of a reply, which a newer daemon may have sent. Ignores unknown members at any depth.
  package init(reply json: JSONValue, at pointer: String = "") throws(JSONError) {
    self = try UnknownMembers.$areIgnored.withValue(true) {
      Result { () throws(JSONError) in try Self(json: json, at: pointer) }
    }.get()
  }
}
