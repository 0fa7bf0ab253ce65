import OrderedCollections
import Router

extension JSONValue {
  /// Creates an object with these members, in order.
  static func members(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(OrderedDictionary(uniqueKeysWithValues: members))
  }

  /// Returns the JSON text, indented by two spaces per level, as in agents' settings files.
  package func indented(_ level: Int = 0) -> String {
    let (inner, outer) = (String(repeating: "  ", count: level + 1), String(repeating: "  ", count: level))
    switch self {
    case .array(let elements) where !elements.isEmpty:
      return "[\n" + elements.map { inner + $0.indented(level + 1) }.joined(separator: ",\n") + "\n\(outer)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { "\(inner)\(JSONValue.string($0.key)): \($0.value.indented(level + 1))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
    default: return description
    }
  }
}
