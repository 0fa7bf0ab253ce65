import OrderedCollections

package protocol JSONObject {
  func addMembers(to writer: inout JSONWriter)
}

extension JSONPart where Self: JSONObject {
  package func write(to writer: inout JSONWriter) { writer.addObject { addMembers(to: &$0) } }
}

extension JSONObject {
  package var jsonText: JSONText { JSONText(self) }
  package var json: JSONValue { jsonText.value }
}

/// Writes JSON objects as text, member by member. Member names given as `StaticString` must need no escapes.
package struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  package init() {
    // Most objects take a few hundred bytes.
    bytes.reserveCapacity(480)
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Parts

  mutating func add(part value: JSONValue) { value.write(to: &bytes) }
  mutating func add(part text: String) { bytes.appendJSON(text) }
  mutating func add(part number: Int) { bytes.append(contentsOf: String(number).utf8) }
  mutating func add(part truth: Bool) { bytes.append(contentsOf: (truth ? "true" : "false").utf8) }

  // MARK: Members

  package mutating func add(_ name: StaticString, _ part: some JSONPart) {
    addName(name)
    part.write(to: &self)
  }

  package mutating func add(_ name: StaticString, _ value: JSONValue) {
    addName(name)
    add(part: value)
  }

  package mutating func add(_ name: StaticString, optional part: (some JSONPart)?) {
    if let part { add(name, part) } else { add(name, .null) }
  }

  package mutating func add(_ name: StaticString, ifPresent part: (some JSONPart)?) {
    if let part { add(name, part) }
  }

  package mutating func add(_ name: StaticString, text: JSONText) {
    addName(name)
    bytes.append(contentsOf: text.bytes)
  }

  package mutating func add(_ name: StaticString, texts: [JSONText]) {
    addName(name)
    addArray(texts) { $0.bytes.append(contentsOf: $1.bytes) }
  }

  /// Adds the members of a nonempty encoded object.
  mutating func add(membersOf object: JSONText) {
    addSeparator()
    bytes.append(contentsOf: object.bytes.dropFirst().dropLast())
  }

  /// Adds members with any names.
  mutating func add(members: OrderedDictionary<String, some JSONPart>) {
    for (name, part) in members {
      addSeparator()
      bytes.appendJSON(name)
      bytes.append(UInt8(ascii: ":"))
      part.write(to: &self)
    }
  }

  mutating func addObject(_ addMembers: (inout JSONWriter) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    addMembers(&self)
    isFirst = false
    bytes.append(UInt8(ascii: "}"))
  }

  mutating func addArray<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
    bytes.append(UInt8(ascii: "["))
    isFirst = true
    for element in elements {
      addSeparator()
      write(&self, element)
    }
    isFirst = false
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func addName(_ name: StaticString) {
    addSeparator()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func addSeparator() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }
}
