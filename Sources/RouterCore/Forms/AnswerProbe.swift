/// Decodes a type from an object that has every member, and records the names of the members that the type reads.
final class AnswerProbe {
  private struct Inconclusive: Error {}

  private let properties: [FormSchema.Property]
  private let turn: Int
  private let isStrict: Bool
  private(set) var names: [String] = []
  /// Fields that give what their member does not take, such as a text for a number.
  private(set) var misfits: [String] = []
  /// Whether the type enumerated the keys, so that it may read any name.
  private(set) var takesAnyName = false

  /// - Parameters:
  ///   - turn: The index of the first choice to try, since a choice may affect what the type reads.
  ///   - isStrict: Whether to provide only the members of these fields.
  package init(_ properties: [FormSchema.Property], turn: Int = 0, isStrict: Bool = false) {
    self.properties = properties
    self.turn = turn
    self.isStrict = isStrict
  }

  func read<Answer: Decodable>(_ type: Answer.Type) -> Bool {
    (try? Answer(from: Whole(probe: self))) != nil
  }

  private func add(_ key: some CodingKey) {
    if !names.contains(key.stringValue) { names.append(key.stringValue) }
  }

  /// Returns a value for a member: one that is valid for its field, or else any that the type accepts.
  private func value<Value: Decodable>(_ type: Value.Type, for key: some CodingKey) throws -> Value {
    add(key)
    let own = properties.filter { $0.name == key.stringValue }
    if isStrict, own.isEmpty { throw Inconclusive() }
    // The last candidates are for a misnamed field, whose member may accept only that field's values.
    let candidates = own.flatMap { $0.samples(turn) } + Self.samples + properties.flatMap { $0.samples(turn) }
    for candidate in candidates {
      guard let value = try? candidate.decode(type) else { continue }
      // A member that takes no sample of its field's type, but one of another, takes no answer either.
      if let field = own.first, !field.isOfKind(candidate),
        !candidates.contains(where: { field.isOfKind($0) && (try? $0.decode(type)) != nil })
      {
        misfits.append(field.name)
      }
      return value
    }
    throw Inconclusive()
  }

  private static let samples: [JSONValue] = [
    "", 0, true, [], [:], "00000000-0000-0000-0000-000000000000", "1970-01-01T00:00:00Z", "https://example.com",
  ]
}

extension AnswerProbe {
  private struct Whole: Decoder {
    let probe: AnswerProbe
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Members(probe: probe))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Inconclusive() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Inconclusive() }
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: AnswerProbe
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
      probe.takesAnyName = true
      return []
    }

    func contains(_ key: Key) -> Bool {
      probe.add(key)
      return probe.properties.contains { $0.name == key.stringValue }
    }

    func decodeNil(forKey key: Key) -> Bool {
      probe.add(key)
      return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try probe.value(type, for: key)
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try probe.value(type, for: key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try probe.value(type, for: key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try probe.value(type, for: key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try probe.value(type, for: key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try probe.value(type, for: key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try probe.value(type, for: key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try probe.value(type, for: key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try probe.value(type, for: key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try probe.value(type, for: key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try probe.value(type, for: key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try probe.value(type, for: key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try probe.value(type, for: key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try probe.value(type, for: key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try probe.value(type, for: key) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw Inconclusive() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Inconclusive() }
    func superDecoder() throws -> any Decoder { throw Inconclusive() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Inconclusive() }
  }
}

extension FormSchema.Property {
  fileprivate func isOfKind(_ value: JSONValue) -> Bool {
    switch (kind, value) {
    case (.string, .string), (.integer, .number), (.number, .number), (.boolean, .bool): true
    case (.array, .array(let chosen)): !chosen.isEmpty && Set(chosen).isSubset(of: choices ?? [])
    default: choices?.contains(value) ?? false
    }
  }

  fileprivate func samples(_ turn: Int) -> [JSONValue] {
    let values: [JSONValue] =
      switch kind {
      case .array: (choices ?? []).prefix(2).map { .array([$0]) } + [.array([])]
      case _ where choices != nil: choices ?? []
      case .string: [defaultValue].compactMap(\.self)
      case .boolean: [true, false]
      case .integer, .number: [defaultValue ?? (minimum ?? maximum).map(JSONValue.number)].compactMap(\.self)
      }
    let start = values.isEmpty ? 0 : turn % values.count
    return Array(values[start...] + values[..<start])
  }
}
