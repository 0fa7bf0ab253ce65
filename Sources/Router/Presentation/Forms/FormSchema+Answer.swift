extension FormSchema {
  /// Checks that a type reads every field of the form, so that a wrong name is found before a person fills in the form. Types
  /// that take any name, such as dictionaries, and types that cannot be made from sample values are not checked.
  func checkFields<Answer: Decodable>(areReadBy type: Answer.Type, of what: String) throws(RouterError) {
    var unread = properties
    var members: [String] = []
    // What a type reads may depend on what was chosen.
    for turn in 0..<max(2, properties.map { $0.choices?.count ?? 0 }.max() ?? 0) {
      let probe = AnswerProbe(properties, turn: turn)
      guard probe.read(type), !probe.takesAnyName else { return }
      members += probe.names.filter { !members.contains($0) }
      unread.removeAll { probe.names.contains($0.name) }
      if unread.isEmpty { return }
    }
    // A type may read one member only where another one is absent.
    let probe = AnswerProbe(unread, isStrict: true)
    _ = probe.read(type)
    guard let field = unread.first(where: { !probe.names.contains($0.name) }) else { return }
    let names = members.isEmpty ? "no members" : members.joined(separator: ", ")
    throw RouterError(
      .invalid, "cannot show \(what): its form has a field \"\(field.name)\", but \(type) has no such member (it has \(names))",
      field: "/schema/properties/" + JSONPointer.escape(field.name))
  }
}
