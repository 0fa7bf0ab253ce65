/// How far the work behind an open sheet has come. Advisory: it is neither recorded nor kept across a restart.
package struct PresentationProgress: Sendable, Hashable, JSONObject {
  /// From 0 to 1.
  package var fraction: Double
  /// One line, such as `Copying…`.
  package var label: String?

  package init(fraction: Double, label: String?) {
    self.fraction = fraction
    self.label = label
  }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("fraction", JSONValue.number(JSONValue.Number(fraction) ?? JSONValue.Number(0)))
    writer.add("label", ifPresent: label)
  }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    guard let number = try reader.number("fraction") else { throw reader.error("is missing", at: "fraction") }
    fraction = number.double
    label = try reader.string("label")
    try check(at: pointer)
    try reader.finish()
  }

  package func check(at pointer: String = "") throws(JSONError) {
    guard (0...1).contains(fraction) else { throw JSONError("must be a number from 0 to 1", at: pointer + "/fraction") }
    if let label { try TextRule.label.check(label, at: pointer + "/label") }
  }
}
