package import OrderedCollections

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

  package mutating func add(_ name: StaticString, part: some JSONPart) {
    addName(name)
    part.write(to: &self)
  }

  // MARK: Parts

  mutating func add(part value: JSONValue) { value.write(to: &bytes) }
  mutating func add(part text: String) { bytes.appendJSON(text) }
  mutating func add(part number: Int) { bytes.append(contentsOf: String(number).utf8) }
  mutating func add(part truth: Bool) { bytes.append(contentsOf: (truth ? "true" : "false").utf8) }

  // MARK: Members

  package mutating func add(_ name: StaticString, _ value: JSONValue) {
    addName(name)
    value.write(to: &bytes)
  }

  package mutating func add(_ name: StaticString, _ text: String) {
    addName(name)
    bytes.appendJSON(text)
  }

  package mutating func add(_ name: StaticString, _ number: Int) {
    addName(name)
    bytes.append(contentsOf: String(number).utf8)
  }

  package mutating func add(_ name: StaticString, _ truth: Bool) {
    addName(name)
    bytes.append(contentsOf: (truth ? "true" : "false").utf8)
  }

  package mutating func add(_ name: StaticString, _ object: some JSONObject) {
    addName(name)
    addObject { object.addMembers(to: &$0) }
  }

  package mutating func add(_ name: StaticString, text: JSONText) {
    addName(name)
    bytes.append(contentsOf: text.bytes)
  }

  /// Adds the members of an encoded object, which has at least one.
  mutating func add(membersOf object: JSONText) {
    addSeparator()
    bytes.append(contentsOf: object.bytes.dropFirst().dropLast())
  }

  package mutating func add(_ name: StaticString, _ objects: [some JSONObject]) {
    addName(name)
    addArray(objects) { writer, object in writer.addObject { object.addMembers(to: &$0) } }
  }

  package mutating func add(_ name: StaticString, _ texts: [String]) {
    addName(name)
    addArray(texts) { $0.bytes.appendJSON($1) }
  }

  package mutating func add(_ name: StaticString, texts: [JSONText]) {
    addName(name)
    addArray(texts) { $0.bytes.append(contentsOf: $1.bytes) }
  }

  package mutating func add(_ name: StaticString, _ members: OrderedDictionary<String, String>) {
    addName(name)
    addObject { $0.add(members: members.mapValues { .string($0) }) }
  }

  /// Adds members with any names.
  mutating func add(members: OrderedDictionary<String, JSONValue>) {
    for (name, value) in members {
      addSeparator()
      bytes.appendJSON(name)
      bytes.append(UInt8(ascii: ":"))
      value.write(to: &bytes)
    }
  }

  package mutating func add(_ name: StaticString, optional text: String?) {
    if let text { add(name, text) } else { add(name, .null) }
  }

  package mutating func add(_ name: StaticString, optional object: (some JSONObject)?) {
    if let object { add(name, object) } else { add(name, .null) }
  }

  package mutating func add(_ name: StaticString, ifPresent text: String?) {
    if let text { add(name, text) }
  }

  package mutating func add(_ name: StaticString, ifPresent object: (some JSONObject)?) {
    if let object { add(name, object) }
  }

  package mutating func add(_ name: StaticString, ifPresent duration: Duration?) {
    if let duration { add(name, .seconds(duration)) }
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
