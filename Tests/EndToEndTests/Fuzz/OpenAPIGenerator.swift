import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport

/// Generates calls from a daemon's own description: valid ones, or with a mistake somewhere.
struct OpenAPIGenerator {
  struct Operation {
    let method: HTTPCall.Method
    let path: String
    let parameters: [JSONValue]
    let body: JSONValue?
    /// The described statuses.
    let statuses: Set<Int>
  }

  private let document: JSONValue
  private(set) var operations: [Operation] = []
  var random: SplitMix64
  /// Ids of presentations that are or were open.
  var ids: [String] = []

  init(document: JSONValue, seed: UInt64) {
    self.document = document
    random = SplitMix64(seed: seed)
    for (path, item) in document["paths"]?.object ?? [:] {
      let shared = item["parameters"]?.array ?? []
      for (method, operation) in item.object ?? [:] where method != "parameters" {
        let responses = operation["responses"]?.object ?? [:]
        let types = responses["200"].map { resolved($0)["content"]?.object?.keys.map { $0 } ?? [] } ?? []
        // Streams do not end.
        guard types != ["text/event-stream"] else { continue }
        guard let verb = HTTPCall.Method(rawValue: method.uppercased()) else {
          preconditionFailure("the description has a method that no call has: \(method)")
        }
        operations.append(
          Operation(
            method: verb, path: path,
            parameters: (shared + (operation["parameters"]?.array ?? [])).map(resolved),
            body: operation["requestBody"]?["content"]?["application/json"]?["schema"],
            statuses: Set(responses.keys.compactMap { Int($0) })))
      }
    }
  }

  private func resolved(_ value: JSONValue) -> JSONValue {
    guard let reference = value["$ref"]?.string else { return value }
    return resolved(reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] ?? .null })
  }

  private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  /// Returns a call of a random operation that gets a reply at once.
  mutating func next() -> (operation: Operation, call: HTTPCall) {
    let operation = operations[below(operations.count)]
    var path = operation.path
    var query: [String] = []
    var headers: HeaderFields = ["Prefer": "respond-async"]
    for parameter in operation.parameters {
      let name = parameter["name"]?.string ?? ""
      let schema = parameter["schema"] ?? [:]
      switch parameter["in"]?.string {
      case "path":
        let text = name == "id" && !ids.isEmpty && below(4) > 0 ? ids[below(ids.count)] : text(value(of: schema, wrongness: 4))
        path = path.replacing("{\(name)}", with: text.escapedForURL)
      case "query" where below(3) == 0: query.append(name + "=" + text(value(of: schema, wrongness: 4)).escapedForURL)
      case "header" where name != "Prefer" && below(3) == 0:
        headers.replaceOrAdd(
          name: name, value: String(text(value(of: schema, wrongness: 4)).filter { ("!"..."~").contains($0) }))
      default: break
      }
    }
    if !query.isEmpty { path += "?" + query.joined(separator: "&") }
    let wrongness = below(3) == 0 ? 0 : 20
    let body = operation.body.map { value(of: $0, wrongness: wrongness).bytes }
    return (operation, HTTPCall(operation.method, path, headers: headers, body: body))
  }

  private func text(_ value: JSONValue) -> String {
    value.string ?? value.array?.map(text).joined(separator: ",") ?? value.description
  }

  // MARK: Values

  /// Returns a value of a component of the description.
  mutating func value(ofSchema name: String) -> JSONValue {
    value(of: ["$ref": .string("#/components/schemas/" + name)], wrongness: 0)
  }

  /// Returns a value for a schema. One in `wrongness` of its parts violates the schema.
  private mutating func value(of schema: JSONValue, wrongness: Int, depth: Int = 0) -> JSONValue {
    if wrongness > 0, below(wrongness) == 0 { return anything(depth) }
    let schema = resolved(schema)
    if schema == true { return anything(depth) }
    if let constant = schema["const"] { return constant }
    if let choices = schema["enum"]?.array { return choices[below(choices.count)] }
    for key in ["oneOf", "anyOf"] where schema["type"] == nil {
      if let choices = schema[key]?.array {
        return value(of: choices[below(choices.count)], wrongness: wrongness, depth: depth)
      }
    }
    let type = schema["type"]?.string ?? schema["type"]?.array.map { $0[below($0.count)].string ?? "" }
    switch type {
    case "object": return object(of: schema, wrongness: wrongness, depth: depth)
    case "array":
      let items = schema["items"] ?? true
      let least = schema["minItems"]?.number?.integer ?? 0
      return .array((0..<(least + below(3))).map { _ in value(of: items, wrongness: wrongness, depth: depth + 1) })
    case "integer", "number":
      return Self.numbers[below(schema["minimum"] == nil ? Self.numbers.count : 4)]
    case "boolean": return .bool(below(2) == 0)
    case "string": return .string(string(of: schema))
    case "null": return .null
    default: return anything(depth)
    }
  }

  private mutating func object(of schema: JSONValue, wrongness: Int, depth: Int) -> JSONValue {
    var members: OrderedDictionary<String, JSONValue> = [:]
    let branches = schema["oneOf"]?.array ?? [[:]]
    let branch = branches[below(branches.count)]
    let required = Set([schema, branch].flatMap { $0["required"]?.array?.compactMap(\.string) ?? [] })
    let properties = (schema["properties"]?.object ?? [:]).merging(branch["properties"]?.object ?? [:]) { $1 }
    for (name, property) in properties {
      if wrongness > 0, below(wrongness) == 0 { continue }
      guard required.contains(name) || below(5) == 0, property != false else { continue }
      members[name] = value(of: property, wrongness: wrongness, depth: depth + 1)
    }
    if let more = schema["additionalProperties"], more != false, depth < 6 {
      for _ in 0..<below(3) { members[Self.texts[below(4)]] = value(of: more, wrongness: wrongness, depth: depth + 1) }
    }
    if wrongness > 0, below(wrongness) == 0 { members["unknown"] = anything(depth) }
    return .object(members)
  }

  private static let numbers = ["0", "1", "2", "60", "-1", "1.5", "-0", "1e300", "-1e-300", "1e9999", "9007199254740993"].map {
    (try? JSONValue(parsing: $0)) ?? .null
  }

  private static let texts = [
    "a", "main", "x-1", "Deploy 1.4.2?", "", " ", "2026-11-21T07:00:00.000Z", "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c",
    "http+unix://%2Fnonexistent%2Fs/x", "^[a-z]+$", "(", "\u{202E}", "\u{1B}[2J", "ü😀", String(repeating: "x", count: 2000),
    "-1", "1e9",
  ]

  private mutating func string(of schema: JSONValue) -> String {
    if let example = schema["examples"]?.array?.first?.string ?? schema["example"]?.string { return example }
    if schema["pattern"] == JSONValue.sha256["pattern"] { return String(repeating: "ab", count: 32) }
    switch schema["format"]?.string {
    case "uuid": return ids.isEmpty ? Self.texts[7] : ids[below(ids.count)]
    case "date-time": return Self.texts[6]
    default: return Self.texts[below(below(3) == 0 ? Self.texts.count : 4)]
    }
  }

  private mutating func anything(_ depth: Int) -> JSONValue {
    switch below(depth > 4 ? 6 : 8) {
    case 0: return .null
    case 1: return .bool(true)
    case 2: return .integer(-1)
    case 3: return Self.numbers[below(Self.numbers.count)]
    case 4, 5: return .string(Self.texts[below(Self.texts.count)])
    case 6: return .array((0..<below(4)).map { _ in anything(depth + 1) })
    default:
      var members: OrderedDictionary<String, JSONValue> = ["a": anything(depth + 1)]
      members[Self.texts[below(Self.texts.count)]] = anything(depth + 1)
      return .object(members)
    }
  }
}

extension String {
  fileprivate var escapedForURL: String {
    utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII,
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-._~".unicodeScalars.contains(scalar)
      {
        return String(scalar)
      }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
