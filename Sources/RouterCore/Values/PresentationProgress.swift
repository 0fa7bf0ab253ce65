/// The progress of the work behind an open sheet. Advisory: it is neither recorded nor kept across a restart.
package struct PresentationProgress: Sendable, Hashable {
  /// The completed fraction, from 0 to 1.
  package var fraction: Double
  /// One line of text, such as `Copying…`.
  package var label: String?

  package init(fraction: Double, label: String?) {
    self.fraction = fraction
    self.label = label
  }

  package func check(at pointer: String = "") throws(JSONError) {
    guard (0...1).contains(fraction) else { throw JSONError("must be a number from 0 to 1", at: pointer + "/fraction") }
    if let label { try TextRule.label.check(label, at: pointer + "/label") }
  }
}

extension PresentationProgress: Record {
  package static var schemaName: String { "ProgressBody" }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    fraction = try f("fraction", \.fraction, "", ["type": "number", "minimum": 0, "maximum": 1])
    label = try f("label", \.label, "One line, such as Copying…", .schema("Label"))
  }

  /// Decodes a requester's report.
  package init(reported json: JSONValue) throws(JSONError) {
    try self.init(json: json)
    try check()
  }
}
