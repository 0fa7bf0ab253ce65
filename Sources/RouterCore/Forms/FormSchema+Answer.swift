extension FormSchema {
  /// Checks that a type reads every field of the form as what the field gives, so that a wrong name or type is found before a
  /// person fills in the form. Types that take any name, such as dictionaries, are not checked; types that cannot be made from
  /// sample values are checked as far as they can be read.
  func checkFields<Answer: Decodable>(areReadBy type: Answer.Type, of what: String) throws(RouterError) {
    var unread = properties
    var members: [String] = []
    // A choice may affect what a type reads.
    for turn in 0..<max(2, properties.map { $0.kind == .array ? 2 : $0.choices?.count ?? 0 }.max() ?? 0) {
      let probe = AnswerProbe(properties, turn: turn)
      let isRead = probe.read(type)
      guard !probe.takesAnyName else { return }
      if let name = probe.misfits.first, let field = properties.first(where: { $0.name == name }) {
        throw RouterError(
          .invalid, "cannot show \(what): its field \"\(name)\" gives \(field.kind.withArticle), which \(type) does not take",
          field: "/schema/properties/" + JSONPointer.escape(name))
      }
      guard isRead else { return }
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

extension FormSchema.Property.Kind {
  fileprivate var withArticle: String {
    switch self {
    case .string, .number, .boolean: "a \(rawValue)"
    case .integer, .array: "an \(rawValue)"
    }
  }
}
