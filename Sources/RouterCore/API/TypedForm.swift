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

  /// Reads the input. Throws `invalid` for an unknown field.
  package func checked(against schema: FormSchema) throws(RouterError) -> CheckedForm {
    do {
      let (answer, problems) = try schema.read(typed: fields)
      return CheckedForm(answer: answer?.description, problems: problems)
    } catch {
      throw RouterError(JSONError(error.message, at: "/fields" + error.pointer))
    }
  }
}

/// The response of `POST /v1/presentations/{id}/check`.
package struct CheckedForm: Sendable, Hashable {
  /// The answer as JSON text, because JavaScript numbers would lose digits; `nil` if there are problems.
  package var answer: String?
  /// The problems by field, in the form's order.
  package var problems: OrderedDictionary<String, String>
}

extension CheckedForm: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    answer = try f(
      orNull: "answer", \.answer, "The value as JSON text, for the body of answer; null if there are problems.")
    problems = try f("problems", \.problems, "Problems by field, in form order.")
  }
}
