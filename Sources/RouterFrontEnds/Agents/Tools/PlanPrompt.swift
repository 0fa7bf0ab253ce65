import OrderedCollections
import Router

/// The prompt for Claude Code's tool ExitPlanMode: the plan, and the choice to begin.
struct PlanPrompt: ToolQuestion {
  static let tool = "ExitPlanMode"
  private static let (approve, approveEdits, keep) = ("approve", "approve-edits", "keep")
  /// Below the limit of a message.
  private static let maximumBytes = 60_000

  private let call: ToolCall
  private let plan: String
  private let mayChangeMode: Bool

  /// Creates the prompt; `nil` for another tool, or if the plan is missing or too long to show in full.
  init?(_ call: ToolCall, mayChangeMode: Bool) {
    guard call.tool == Self.tool, let plan = call.input["plan"]?.string, plan.hasVisibleCharacter,
      plan.exact.utf8.count <= Self.maximumBytes
    else { return nil }
    (self.call, self.plan, self.mayChangeMode) = (call, plan, mayChangeMode)
  }

  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest {
    var buttons = [PresentationRequest.Button(id: Self.approve, label: "Approve")]
    if mayChangeMode {
      buttons.append(PresentationRequest.Button(id: Self.approveEdits, label: "Approve, and edit without asking"))
    }
    buttons.append(PresentationRequest.Button(id: Self.keep, label: "Keep planning", role: .cancel, isDefault: true))
    var request = PresentationRequest(
      kind: .alert, title: "Approve the plan?", message: plan.exact, buttons: buttons, metadata: metadata)
    request.messageFormat = .markdown
    return request
  }

  func decision(_ answer: PresentationAnswer, _ comment: String?) -> ToolDecision {
    switch answer {
    case .button(Self.approve): .allow(updatedInput: input(adding: comment), comment: comment)
    case .button(Self.approveEdits): .allow(updatedInput: input(adding: comment), comment: comment, mode: .acceptEdits)
    default: .denied(comment)
    }
  }

  /// Returns the tool's input, which an approval must include. Claude Code tells the model that the user has edited a changed
  /// plan.
  private func input(adding comment: String?) -> JSONValue {
    var members = call.input.object ?? [:]
    if let comment { members["plan"] = .string("\(plan)\n\nThe user adds: \(comment)\n") }
    return .object(members)
  }
}
