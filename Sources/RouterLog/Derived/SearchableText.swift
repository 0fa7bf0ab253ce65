import OrderedCollections
import RouterCore

/// The searchable texts of a presentation. Sensitive answers are excluded: the recorded outcome does not contain them.
struct SearchableText: Sendable, Hashable {
  var title: String?
  /// The message and its attachments.
  var message: String?
  var sheet: String?
  /// Values entered in a form, the approvers' comments, or the reason of a failed presenter. Buttons are excluded: filter by
  /// outcome instead.
  var answer: String?

  init(_ presentation: Presentation) {
    let request = presentation.request
    (title, sheet) = (request.title, request.sheet)
    let texts = [request.message].compactMap(\.self) + request.attachments.map(\.text)
    message = texts.isEmpty ? nil : texts.joined(separator: "\n")
    var leaves: [String] = []
    switch presentation.outcome {
    case .answered(.value(let value)): value.collectTexts(into: &leaves)
    case .failed(let detail): leaves.append(detail)
    case .answered(.button), .answered(.redacted), .dismissed, .cancelled, .expired, nil: break
    }
    let comments = presentation.approvals.map(\.comment) + [presentation.comment]
    if presentation.outcome != nil { leaves += comments.compactMap(\.self) }
    answer = leaves.isEmpty ? nil : leaves.joined(separator: "\n")
  }

  var values: [SQLiteValue] { [.optional(title), .optional(message), .optional(sheet), .optional(answer)] }
}

extension JSONValue {
  /// Collects all strings and numbers. Member names are excluded, since they are not part of the answer.
  fileprivate func collectTexts(into leaves: inout [String]) {
    switch self {
    case .null, .bool: break
    case .number(let number): leaves.append(number.literal)
    case .string(let text): leaves.append(text)
    case .array(let elements): for element in elements { element.collectTexts(into: &leaves) }
    case .object(let members): for value in members.values { value.collectTexts(into: &leaves) }
    }
  }
}
