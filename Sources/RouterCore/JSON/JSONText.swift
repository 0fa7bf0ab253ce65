/// Encoded JSON without white space, members in order.
package struct JSONText: Sendable, Hashable, CustomStringConvertible {
  package let bytes: [UInt8]

  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package init(_ value: JSONValue) { bytes = value.bytes }

  package init(_ object: some JSONObject) {
    self.init { writer in object.addMembers(to: &writer) }
  }

  package init(_ addMembers: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.addObject(addMembers)
    bytes = writer.bytes
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// A copy without spare capacity, for long-term storage.
  var compact: JSONText { JSONText(bytes: Array(bytes[...])) }

  /// The parsed value. Router's output is always valid, and may be nested deeper than its input.
  var value: JSONValue { (try? JSONValue(parsing: bytes, maximumDepth: .max)) ?? .null }
}
