import RouterCore

/// A row below the buttons or the form, for options of the answer or for snoozing.
package enum PromptRow: Sendable, Hashable {
  /// The similar prompts that get the same answer, and each of them.
  case batch, other(Int)
  /// The time for which the answer is remembered, and the covered acts.
  case period, width
  /// The person's comment.
  case comment
  /// Snoozing.
  case later
}

/// The content of a row and the actions of its keys.
struct PromptRowControl {
  enum Look {
    case check(Bool, String)
    case choice(String, String)
    /// The person's comment, and its purpose.
    case text(String, LineEditor, String)
  }

  let look: Look
  /// The key hints for the last line.
  let hints: [String]
  /// Whether the row belongs to the one above: it is indented, and its first letter does not jump to it.
  var isPartOfOther = false
  /// Selects another value: `←`, `→` and Space.
  var turn: (@Sendable (inout PromptState, Int) -> Void)?
  /// Space and Enter.
  var toggle: (@Sendable (inout PromptState) -> Void)?
  /// `a`, which otherwise jumps to the next control that begins with it.
  var always: (@Sendable (inout PromptState) -> Void)?
  /// Enter (default: leaves the row).
  var enter: (@Sendable (PromptState) -> PresenterResponse?)?

  var label: String {
    switch look {
    case .check(_, let label), .choice(let label, _), .text(let label, _, _): label
    }
  }
}

extension PromptRow {
  private static let chooseAlways: @Sendable (inout PromptState) -> Void = { $0.memory.chooseAlways() }

  /// Returns the entire behavior of a row. To add a row, add a case here and in ``PromptState/stops``.
  func control(in state: PromptState) -> PromptRowControl {
    switch self {
    case .batch:
      PromptRowControl(
        look: .choice("Also \(state.batch.others.count) like this", state.batch.label), hints: ["←→ change", "Enter: done"],
        turn: { $0.batch.move(by: $1) })
    case .other(let index):
      PromptRowControl(
        look: .check(
          state.batch.isChosen(index), PresentationSummary(state.batch.others[index].request).text),
        hints: ["Space chooses"], isPartOfOther: true, toggle: { $0.batch.toggle(index) })
    case .period where !state.hasSeenAll:
      PromptRowControl(
        look: .choice("Remember", "only if seen whole"), hints: ["PgDn: read on", "Enter: done"],
        turn: { state, _ in state.notice = "An answer is remembered only if you have seen all of it: press PgDn." })
    case .period:
      PromptRowControl(
        look: .choice("Remember", state.memory.periodLabel),
        hints: ["←→ change"] + (state.memory.offersAlways ? ["a: always"] : []) + ["Enter: done"],
        turn: { $0.memory.movePeriod(by: $1) }, always: state.memory.offersAlways ? Self.chooseAlways : nil)
    case .width:
      PromptRowControl(
        look: .choice("For", state.memory.widthLabel), hints: ["←→ change", "Enter: done"],
        turn: { $0.memory.moveWidth(by: $1) })
    case .comment:
      PromptRowControl(look: .text("Say why", state.comment, "for the program and the log"), hints: ["Enter: done"])
    case .later:
      PromptRowControl(
        look: .choice("Snooze", state.later?.label ?? ""), hints: ["←→ change", "Enter: snooze"],
        turn: { $0.moveLater(by: $1) }, enter: { $0.putOff() })
    }
  }
}
