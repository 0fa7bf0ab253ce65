package import OrderedCollections

/// The typed input of a form's fields, by name: the body of `POST /v1/presentations/{id}/check`.
package struct TypedForm: Sendable, Hashable {
  package var fields: OrderedDictionary<String, String>
}

extension TypedForm: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    fields = try f(
      "fields", \.fields,
      "The text typed into each field; an absent field is empty. For multipleChoice, a JSON array, or choices separated by commas."
    )
  }

  /// Returns the daemon's response: `problems` by field, in the form's order, and the `answer` if there are none.
  ///
  /// The answer is JSON text, because JavaScript's numbers would lose digits. Throws `invalid` for an unknown field.
  package func checked(against schema: FormSchema) throws(RouterError) -> JSONValue {
    do {
      let (answer, problems) = try schema.read(typed: fields)
      return ["answer": .optional(answer?.description), "problems": .object(problems.mapValues(JSONValue.string))]
    } catch {
      throw RouterError(JSONError(error.message, at: "/fields" + error.pointer))
    }
  }
}
