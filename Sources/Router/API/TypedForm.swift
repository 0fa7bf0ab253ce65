public import OrderedCollections

/// What is in a form's fields at the moment, as it was typed: the body of `POST /v1/presentations/{id}/check`.
public struct TypedForm: Sendable, Hashable, JSONObject {
  /// The texts by the names of their fields.
  public var fields: OrderedDictionary<String, String>

  public init(fields: OrderedDictionary<String, String>) {
    self.fields = fields
  }

  public var json: JSONValue { jsonText.value }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("fields", fields)
  }

  /// Reads a body strictly.
  public init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    guard let members = reader.value("fields") else { throw reader.error("is missing", at: "fields") }
    try reader.finish()
    guard let object = members.object else { throw JSONError("must be an object, not \(members.typeName)", at: "/fields") }
    fields = [:]
    for (name, value) in object {
      guard let text = value.string else {
        throw JSONError("must be a string, not \(value.typeName)", at: "/fields/" + JSONPointer.escape(name.shortened))
      }
      fields[name] = text
    }
  }

  /// Whether it fits, as the daemon says it: `problems` by field, in the form's order, and the `answer` where there are none.
  ///
  /// Throws `invalid` for an unknown field. The answer is JSON text, since JavaScript's numbers would lose digits.
  public func checked(against schema: FormSchema) throws(RouterError) -> JSONValue {
    do {
      let (answer, problems) = try schema.read(typed: fields)
      return ["answer": .optional(answer?.description), "problems": .object(problems.mapValues(JSONValue.string))]
    } catch {
      throw RouterError(JSONError(error.message, at: "/fields" + error.pointer))
    }
  }
}
