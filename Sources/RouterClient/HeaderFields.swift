import Router

/// The header fields of a message, in order. Names are case-insensitive (RFC 9110, section 5.1).
package struct HeaderFields: Sendable, Hashable {
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  package mutating func add(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }

  package mutating func replaceOrAdd(name: String, value: String) {
    fields.removeAll { $0.isNamed(name) }
    add(name: name, value: value)
  }

  package subscript(name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

  /// The elements of a list field, combined from all of its lines (RFC 9110, section 5.6.1).
  func list(_ name: String) -> [String] {
    self[name].flatMap { $0.split(at: ",").map { $0.trimmingWhiteSpace } }.filter { !$0.isEmpty }
  }

  package func first(name: String) -> String? { fields.first { $0.isNamed(name) }?.value }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name: name, value: value) }
  }
}

extension HeaderFields.Field {
  fileprivate func isNamed(_ other: String) -> Bool {
    name.utf8.elementsEqual(other.utf8) { $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII }
  }
}
