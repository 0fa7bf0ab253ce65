extension FormSchema {
  /// Checks that a type reads every field of the form, to detect misnamed fields before a person fills in the form.
  /// Does not check types that read any name, such as dictionaries, or that cannot be decoded from sample values.
  func checkFields<Answer: Decodable>(areReadBy type: Answer.Type, of what: String) throws(RouterError) {
    var unread = properties
    var members: [String] = []
    // A choice may affect what a type reads.
    for turn in 0..<max(2, properties.map { $0.choices?.count ?? 0 }.max() ?? 0) {
      let probe = AnswerProbe(properties, turn: turn)
      guard probe.read(type), !probe.takesAnyName else { return }
      members += probe.names.filter { !members.contains($0) }
      unread.removeAll { probe.names.contains($0.name) }
      if unread.isEmpty { return }
    }
    // A type may read one member only if another is absent.
    let probe = AnswerProbe(unread, isStrict: true)
    _ = probe.read(type)
    guard let field = unread.first(where: { !probe.names.contains($0.name) }) else { return }
    let names = members.isEmpty ? "no members" : members.joined(separator: ", ")
    throw RouterError(
      .invalid, "cannot show \(what): its form has a field \"\(field.name)\", but \(type) has no such member (it has \(names))",
      field: "/schema/properties/" + JSONPointer.escape(field.name))
  }
}
