import OrderedCollections
import Router

/// A form for Claude Code's tool AskUserQuestion, which asks the person questions.
///
/// Each question becomes a field to choose one or several options, and a text field for another answer.
struct QuestionForm: ToolQuestion {
  static let tool = "AskUserQuestion"

  private struct Question {
    let text: String
    let options: [String]
    let isMultiple: Bool

    /// The options as labels of the form.
    var labels: [String] { options.map(\.exactTitle).distinctLabels }
  }

  private let input: JSONValue
  private let questions: [Question]

  /// Creates a form; `nil` if the input is not a valid AskUserQuestion call.
  init?(_ call: ToolCall) {
    guard call.tool == Self.tool, let questions = call.input["questions"]?.array, !questions.isEmpty else { return nil }
    input = call.input
    self.questions = questions.compactMap { question in
      guard let text = question["question"]?.string, let options = question["options"]?.array else { return nil }
      let labels = options.compactMap { $0["label"]?.string }
      guard labels.count == options.count else { return nil }
      return Question(text: text, options: labels, isMultiple: question["multiSelect"]?.bool ?? false)
    }
    guard self.questions.count == questions.count else { return nil }
  }

  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest {
    var properties: [FormSchema.Property] = []
    for (index, question) in questions.enumerated() {
      let (name, title) = ("q\(index + 1)", question.text.exactTitle)
      if !question.options.isEmpty {
        properties.append(
          FormSchema.Property(
            name: name, kind: question.isMultiple ? .array : .string, title: title, isRequired: false,
            choices: question.labels.map(JSONValue.string)))
      }
      let other = question.options.isEmpty ? title : "Another answer"
      properties.append(
        FormSchema.Property(name: "\(name).other", kind: .string, title: other, description: title, isRequired: false))
    }
    let lines = questions.indices.flatMap(descriptions(ofOptionsOf:))
    return PresentationRequest(
      kind: .sheet, title: "Questions from the agent", message: lines.isEmpty ? nil : lines.joined(separator: "\n"),
      sheet: "agent-questions", schema: FormSchema(properties: properties), metadata: metadata)
  }

  func decision(_ answer: PresentationAnswer, _ comment: String?) -> ToolDecision {
    guard case .value(let value) = answer, let input = updatedInput(with: value) else { return .unanswered(comment) }
    return .allow(updatedInput: input, comment: comment)
  }

  /// Returns the tool's input with the answers added; `nil` if the person answered no question.
  func updatedInput(with value: JSONValue) -> JSONValue? {
    var answers: OrderedDictionary<String, JSONValue> = [:]
    for (index, question) in questions.enumerated() {
      let name = "q\(index + 1)"
      let chosen = value[name].map { $0.array ?? [$0] } ?? []
      // The displayed label may contain escapes; return the agent's original label.
      var labels = zip(question.options, question.labels).filter { chosen.contains(.string($1)) }.map(\.0)
      if let other = value["\(name).other"]?.string, !other.isEmpty {
        labels = question.isMultiple ? labels + [other] : [other]
      }
      if !labels.isEmpty { answers[question.text] = .string(labels.joined(separator: ", ")) }
    }
    guard !answers.isEmpty, var members = input.object else { return nil }
    members["answers"] = .object(answers)
    return .object(members)
  }

  private func descriptions(ofOptionsOf index: Int) -> [String] {
    let options = input["questions"]?.array?[index]["options"]?.array ?? []
    return options.compactMap { option in
      guard let label = option["label"]?.string, let text = option["description"]?.string, !text.isEmpty else { return nil }
      return "\(label.exactTitle): \(text.exactTitle)"
    }
  }
}
