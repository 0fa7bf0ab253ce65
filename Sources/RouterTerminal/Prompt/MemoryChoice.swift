import RouterCore

/// The options for remembering an answer: never, or for one of the offered periods and widths.
struct MemoryChoice: Sendable {
  private let buttons: Set<String>
  let periods: [PromptDescription.Remembering.Period]
  let widths: [PromptDescription.Remembering.Width]
  /// The chosen period; `nil` if the answer is not remembered.
  private(set) var period: Int?
  private(set) var width = 0

  init(_ offered: PromptDescription.Remembering?) {
    (buttons, periods, widths) = (Set(offered?.buttons ?? []), offered?.periods ?? [], offered?.widths ?? [])
  }

  var periodLabel: String { period.map { periods[$0].label } ?? "only this once" }
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
  var words: String { period == nil ? "The answer is not remembered." : "Remembered: \(periodLabel), for \(widthLabel)." }
}
