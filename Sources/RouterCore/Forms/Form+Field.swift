import OrderedCollections

extension Form {
  /// The content of a ``FormField``: its schema and its member of the answer.
  public struct Field: Sendable {
    private(set) var property: FormSchema.Property
    private let samples: [JSONValue]
    private let isPrefilled: Bool
    private let type: String
    private let get: @Sendable (Answer) -> JSONValue
    private let set: @Sendable (JSONValue, inout Answer) throws -> Void

    /// - Parameters:
    ///   - property: The schema, without the name and the default.
    ///   - samples: Two different values of the member, in its `Codable` form.
    ///   - isRequired: Whether the person must fill it in (default: unless the member is optional).
    init<Value: Codable & Sendable>(
      _ property: FormSchema.Property, _ path: any WritableKeyPath<Answer, Value> & Sendable, samples: [JSONValue],
      isRequired: Bool? = nil, isPrefilled: Bool = true
    ) {
      self.property = property
      self.samples = samples
      self.isPrefilled = isPrefilled
      type = "\(Value.self)"
      get = { (try? JSONValue(encoding: $0[keyPath: path])) ?? .null }
      set = { $1[keyPath: path] = try $0.decode() }
      // Only optional types decode null.
      self.property.isRequired = isRequired ?? ((try? JSONValue.null.decode(Value.self)) == nil)
    }
  }
}

extension Form.Field {
  /// Returns the field with its name and its default.
  ///
  /// To find the name, encodes the answer with each sample and compares the members.
  func named(in answer: Answer, after others: [Self]) throws(JSONError) -> Self {
    let encoded = try samples.map { (sample) throws(JSONError) in try members(of: answer, with: sample) }
    let all = encoded.dropFirst().reduce(encoded.first ?? [:]) { $0.merging($1) { member, _ in member } }
    let changed = all.filter { name, _ in Set(encoded.map { $0[name] }).count > 1 }
    guard let (name, member) = changed.elements.first else { throw problem("sets no member of the encoded \(Answer.self)") }
    guard changed.count == 1 else {
      throw problem("sets several members of \(Answer.self): \(changed.keys.joined(separator: ", "))")
    }
    guard member.object == nil, (member.array != nil) == (property.kind == .array) else {
      throw problem("sets a part of the member \"\(name)\" of \(Answer.self); a field must set a whole member")
    }
    guard !others.contains(where: { $0.property.name == name }) else {
      throw problem("sets the member \"\(name)\" of \(Answer.self), as another field does")
    }
    var named = self
    named.property.name = name
    let value = get(answer)
    if isPrefilled, !JSONValue.empty.contains(value), property.problem(with: value) == nil {
      named.property.defaultValue = value
    }
    return named
  }

  private func members(of answer: Answer, with sample: JSONValue) throws(JSONError) -> OrderedDictionary<String, JSONValue> {
    do {
      var answer = answer
      try set(sample, &answer)
      return try JSONValue(encoding: answer).object ?? [:]
    } catch {
      // Without the cause, whose text may contain secrets of the answer.
      throw problem("cannot be found, since the \(Answer.self) cannot be encoded as JSON")
    }
  }

  private func problem(_ text: String) -> JSONError { JSONError("its field \"\(property.label)\" \(text)", at: "") }

  /// Sets the member from the person's answer.
  ///
  /// An empty field sets `nil`, an empty text or an empty array. Members of other types keep their value.
  func read(_ members: OrderedDictionary<String, JSONValue>, into answer: inout Answer) throws(JSONError) {
    let name = property.name
    func wrong(_ text: String) -> JSONError {
      JSONError("its field \"\(name)\" (\(property.label)) \(text)", at: "/" + JSONPointer.escape(name))
    }
    guard let value = members[exactly: name] else {
      if property.isRequired { throw wrong("is missing") }
      for empty in JSONValue.empty where (try? set(empty, &answer)) != nil { return }
      return
    }
    do { try set(value, &answer) } catch { throw wrong("must be of type \(type), not \(value.typeName)") }
  }
}

extension JSONValue {
  fileprivate static let empty: [JSONValue] = [.null, "", []]
}
