package import OrderedCollections

/// What was typed into a form's fields, by name: the body of `POST /v1/presentations/{id}/check`.
package struct TypedForm: Sendable, Hashable {
  package var fields: OrderedDictionary<String, String>
}

extension TypedForm {
  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    fields = try reader.requiredTexts("fields")
    try reader.finish()
  }

  /// What the daemon answers: `problems` by field, in the form's order, and the `answer` where there are none.
  ///
  /// The answer is JSON text, since JavaScript's numbers would lose digits. Throws `invalid` for an unknown field.
  package func checked(against schema: FormSchema) throws(RouterError) -> JSONValue {
    do {
      let (answer, problems) = try schema.read(typed: fields)
      return ["answer": .optional(answer?.description), "problems": .object(problems.mapValues(JSONValue.string))]
    } catch {
      throw RouterError(JSONError(error.message, at: "/fields" + error.pointer))
    }
  }
}
