import Router

/// The parameters of a query. Handlers take them one by one, so that unknown ones can be refused by name.
struct QueryParameters {
  private var values: [(key: String, value: String)]

  init(_ request: Request) {
    values = (request.query?.split(separator: "&") ?? []).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      return (parts[0], value.utf8.percentDecoded().map { String(decoding: $0, as: UTF8.self) } ?? value)
    }
  }

  mutating func string(_ key: String) throws -> String? {
    let found = take(key)
    guard found.count <= 1 else { throw RouterError(.invalid, "cannot read the query: \(key) is given more than once") }
    return found.first
  }

  /// Takes a parameter that may be repeated, each time with comma-separated values.
  mutating func list(_ key: String) -> [String] {
    take(key).flatMap { $0.split(separator: ",").map(String.init) }
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
    guard choices.count <= 1 else { throw RouterError(.invalid, "cannot read the query: \(key) must be one value") }
    return choices.first
  }

  /// Takes a list of values as ``list(_:)`` does, each of which must be one of the known words.
  mutating func words(_ key: String, among known: [String]) throws -> [String] {
    let words = take(key).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    guard words.allSatisfy(known.contains) else {
      throw RouterError(.invalid, "cannot read the query: \(key) must be one of \(known.joined(separator: ", "))")
    }
    return words
  }

  mutating func count(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = try string(key) else { return nil }
    guard let count = Int(text), range.contains(count) else {
      let bounds = "\(range.lowerBound) to \(range.upperBound)"
      throw RouterError(.invalid, "cannot read the query: \(key) must be a whole number from \(bounds)")
    }
    return count
  }

  mutating func bool(_ key: String) throws -> Bool? {
    guard let text = try string(key) else { return nil }
    guard let truth = Bool(text) else {
      throw RouterError(.invalid, "cannot read the query: \(key) must be true or false")
    }
    return truth
  }

  mutating func presentationID(_ key: String) throws -> PresentationID? {
    guard let text = try string(key) else { return nil }
    guard let id = PresentationID(text) else {
      throw RouterError(.invalid, "cannot read the query: \(key) must be a presentation's id")
    }
    return id
  }

  mutating func time(_ key: String) throws -> Timestamp? {
    guard let text = try string(key) else { return nil }
    guard let time = Timestamp(text) else {
      throw RouterError(.invalid, "cannot read the query: \(key) must be an RFC 3339 time")
    }
    return time
  }

  func finish() throws {
    if let key = values.first?.key {
      throw RouterError(.invalid, "cannot read the query: \(key.prefix(64)) is not a known parameter")
    }
  }
}
