import RouterCore

/// The options for remembering an answer: never, or for one of the offered periods and widths.
struct MemoryChoice: Sendable {
  private let buttons: Set<String>
  let periods: [PromptDescription.Remembering.Period]
  let widths: [PromptDescription.Remembering.Width]
  private let habit: String?
  /// The chosen period; `nil` if the answer is not remembered.
  private(set) var period: Int?
  private(set) var width = 0

  init(_ offered: PromptDescription.Remembering?) {
    habit = offered?.habit
    (buttons, periods, widths) = (Set(offered?.buttons ?? []), offered?.periods ?? [], offered?.widths ?? [])
  }

  /// The chosen period; for always with all that is covered.
  var periodLabel: String {
    guard let period else { return "only this once" + (habit.map { " (\($0))" } ?? "") }
    return (isAlways ? widths[width].always : nil) ?? periods[period].label
  }

  private var isAlways: Bool { period.map { periods[$0].value == .always } ?? false }

  var offersAlways: Bool { always != nil }
  private var always: Int? { periods.firstIndex { $0.value == .always } }
  mutating func chooseAlways() { period = always }
  var widthLabel: String { widths.isEmpty ? "" : widths[width].label }

  /// Selects the next period. The row before the first period remembers nothing.
  mutating func movePeriod(by step: Int) {
    let next = ((period ?? -1) + 1 + step + periods.count + 1) % (periods.count + 1)
    period = next == 0 ? nil : next - 1
  }

  mutating func moveWidth(by step: Int) { width = (width + step + widths.count) % widths.count }

  func choice(for button: String) -> GrantChoice? {
    guard let period, buttons.contains(button) else { return nil }
    return GrantChoice(widths[width].value, for: periods[period].value)
  }

  /// Describes whether and how the answer will be remembered.
  var words: String {
    if period == nil { return "The answer is not remembered." }
    return isAlways ? "Remembered \(periodLabel)." : "Remembered: \(periodLabel), for \(widthLabel)."
  }
}
