import Router

/// The parameters of a query. Handlers take them one by one, so that unknown parameters can be rejected by name.
struct QueryParameters {
  private var values: [(key: String, value: String)]

  init(_ request: Request) {
    values = (request.query?.split(at: "&") ?? []).map { pair in
      let parts = pair.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      return (parts[0], value.utf8.percentDecoded().map { String(decoding: $0, as: UTF8.self) } ?? value)
    }
  }

  mutating func string(_ key: String) throws -> String? {
    let found = take(key)
    guard found.count <= 1 else { throw Self.error("\(key) is given more than once") }
    return found.first
  }

  /// Takes a parameter that may be repeated, each time with comma-separated values.
  mutating func list(_ key: String) -> [String] {
    take(key).flatMap { $0.split(at: ",").map(String.init) }
  }

  private mutating func take(_ key: String) -> [String] {
    defer { values.removeAll { $0.key == key } }
    return values.filter { $0.key == key }.map(\.value)
  }

  mutating func choices<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws -> [Choice] {
    try words(key, among: Choice.allCases.map(\.rawValue)).compactMap(Choice.init)
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws -> Choice? {
    let choices: [Choice] = try choices(key)
    guard choices.count <= 1 else { throw Self.error("\(key) must be one value") }
    return choices.first
  }

  /// Takes a list of values, like ``list(_:)``, from a set of known words.
  mutating func words(_ key: String, among known: [String]) throws -> [String] {
    let words = take(key).flatMap { $0.split(at: ",", omittingEmptySubsequences: false).map(String.init) }
    guard words.allSatisfy(known.contains) else {
      throw Self.error("\(key) must be one of \(known.joined(separator: ", "))")
    }
    return words
  }

  mutating func count(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
    try value(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  mutating func bool(_ key: String) throws -> Bool? { try value(key, "true or false", Bool.init) }

  mutating func presentationID(_ key: String) throws -> PresentationID? {
    try value(key, "a prompt's id", PresentationID.init)
  }

  mutating func time(_ key: String) throws -> Timestamp? { try value(key, "an RFC 3339 time") { Timestamp($0) } }

  private mutating func value<Value>(
    _ key: String, _ description: String, _ parse: (String) -> Value?
  ) throws -> Value? {
    guard let text = try string(key) else { return nil }
    guard let value = parse(text) else { throw Self.error("\(key) must be \(description)") }
    return value
  }

  func finish() throws {
    if let key = values.first?.key {
      throw Self.error("\(key.prefix(64)) is not a known parameter")
    }
  }

  private static func error(_ reason: String) -> RouterError {
    RouterError(.invalid, "cannot read the query: \(reason)")
  }
}
