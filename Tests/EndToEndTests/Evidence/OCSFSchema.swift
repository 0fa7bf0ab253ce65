import Foundation
import OrderedCollections
import Router

/// The classes and objects of OCSF that Router uses, from `ocsf.json`: what a member may be, and which are required.
struct OCSFSchema {
  private let classes: JSONValue
  private let objects: JSONValue
  private let version: String

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "ocsf.json")
    let json = try JSONValue(parsing: try String(contentsOf: file, encoding: .utf8))
    (classes, objects) = (json["classes"] ?? [:], json["objects"] ?? [:])
    version = json["version"]?.string ?? ""
  }

  /// Returns what in an event does not follow the schema.
  func faults(_ event: JSONValue) -> [String] {
    guard let uid = event["class_uid"]?.number?.integer, let attributes = classes[String(uid)] else { return ["no class"] }
    var found = faults(event, attributes, at: "")
    if event["type_uid"] != .integer(uid * 100 + (event["activity_id"]?.number?.integer ?? -1)) { found.append("/type_uid") }
    if event["metadata"]?["version"]?.string != version { found.append("/metadata/version") }
    return found
  }

  private func faults(_ value: JSONValue, _ attributes: JSONValue, at path: String) -> [String] {
    guard let members = value.object else { return ["\(path): not an object"] }
    let missing = (attributes.object ?? [:]).filter { $1["required"] == true && members[$0] == nil }.map {
      "\(path)/\($0.key): missing"
    }
    return missing
      + members.flatMap { name, member -> [String] in
        guard let rule = attributes[name] else { return ["\(path)/\(name): unknown"] }
        let values = rule["array"] == true ? member.array ?? [.null] : [member]
        return values.flatMap { faults(of: $0, rule, at: "\(path)/\(name)") }
      }
  }

  private func faults(of value: JSONValue, _ rule: JSONValue, at path: String) -> [String] {
    if let allowed = rule["enum"]?.array, !allowed.contains(value) { return ["\(path): \(value) is not one of its values"] }
    switch rule["type"]?.string ?? "" {
    case "object_t":
      guard let object = rule["object"]?.string, let known = objects[object] else { return value.object == nil ? [path] : [] }
      let choices = known["atLeastOne"]?.array?.compactMap(\.string) ?? []
      let isIdentified = choices.isEmpty || choices.contains { value[$0] != nil }
      return faults(value, known["attributes"] ?? [:], at: path) + (isIdentified ? [] : ["\(path): none of \(choices)"])
    case "integer_t", "long_t", "timestamp_t", "port_t": return value.number?.integer == nil ? ["\(path): not a number"] : []
    case "boolean_t": return value.bool == nil ? ["\(path): not a boolean"] : []
    case "json_t": return []
    default: return value.string == nil ? ["\(path): not a text"] : []
    }
  }
}
