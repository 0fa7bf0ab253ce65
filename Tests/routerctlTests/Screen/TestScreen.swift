import Router

@testable import routerctl

/// An emulated terminal that interprets the painter's escape sequences and records any other one.
final class TestScreen: Sendable {
  private struct State {
    var lines: [[Character]] = [[]]
    var row = 0
    var column = 0
    var top = 0
    var isCursorSeen = true
    var bells = 0
    var unknown: [String] = []
    var size: ScreenSize
    var watchers: [(@Sendable ([String]) -> Bool, CheckedContinuation<Void, Never>)] = []
  }

  private let state: Mutex<State>

  init(columns: Int = 60, rows: Int = 30) {
    state = Mutex(State(size: ScreenSize(columns: columns, rows: rows)))
  }

  var screen: Screen {
    Screen(size: { self.size }, hasColor: false, write: { self.write($0) })
  }

  var size: ScreenSize {
    get { state.withLock(\.size) }
    set { state.withLock { $0.size = newValue } }
  }

  /// The text on the screen, from the first written line.
  var lines: [String] { state.withLock { Self.text($0) } }
  var bells: Int { state.withLock(\.bells) }
  var isCursorSeen: Bool { state.withLock(\.isCursorSeen) }
  /// The position of the cursor.
  var cursor: (row: Int, column: Int) { state.withLock { ($0.row, $0.column) } }
  /// Sequences that the terminal does not support.
  var unknown: [String] { state.withLock(\.unknown) }

  /// Waits until the text satisfies a condition.
  func until(_ isSo: @escaping @Sendable ([String]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if isSo(Self.text(state)) { return true }
        state.watchers.append((isSo, continuation))
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  func write(_ text: String) {
    let done = state.withLock { state in
      Self.write(text, to: &state)
      let lines = Self.text(state)
      let done = state.watchers.filter { $0.0(lines) }
      state.watchers.removeAll { $0.0(lines) }
      return done.map(\.1)
    }
    for continuation in done { continuation.resume() }
  }

  private static func text(_ state: State) -> [String] {
    var lines = state.lines.map { String($0) }
    while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
    return lines
  }

  private static func write(_ text: String, to state: inout State) {
    var rest = Substring(text.replacing("\r\n", with: "\r\u{0}"))
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}":
        let sequence = rest.dropFirst().prefix { !$0.isLetter }
        rest = rest.dropFirst(1 + sequence.count)
        let final = rest.popFirst().map(String.init) ?? ""
        act(String(sequence), final, &state)
      case "\r": state.column = 0
      // Stands for a line feed after a carriage return, since CR LF would be one character.
      case "\u{0}": state.row += 1
      case "\n": (state.row, state.column) = (state.row + 1, 0)
      case "\u{7}": state.bells += 1
      default:
        while state.lines[state.row].count <= state.column { state.lines[state.row].append(" ") }
        state.lines[state.row][state.column] = character
        state.column += 1
      }
      while state.lines.count <= state.row { state.lines.append([]) }
    }
  }

  private static func act(_ parameters: String, _ final: String, _ state: inout State) {
    let number = Int(parameters) ?? 1
    switch (parameters, final) {
    case (_, "A"): state.row = max(state.top, state.row - number)
    case (_, "B"): state.row = min(state.lines.count - 1, state.row + number)
    case ("2", "K"): state.lines[state.row] = []
    case ("", "J"):
      state.lines[state.row] = Array(state.lines[state.row].prefix(state.column))
      state.lines.removeLast(state.lines.count - 1 - state.row)
    case ("", "H"): (state.row, state.column) = (0, 0)
    case ("2", "J"): state.lines = [[]]
    case ("?25", "l"): state.isCursorSeen = false
    case ("?25", "h"): state.isCursorSeen = true
    case ("?7", "l"), ("?7", "h"): break
    default: state.unknown.append(parameters + final)
    }
  }
}
