import OrderedCollections
import RouterCore
import TestSupport

/// Generates values of every type that is presented, deterministically from a seed.
struct ValueGenerator {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func below(_ bound: Int) -> Int { random.below(bound) }
  mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }

  mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    chance(50) ? make(&self) : nil
  }

  mutating func some<Value>(upTo most: Int, _ make: (inout Self) -> Value) -> [Value] {
    var values: [Value] = []
    for _ in 0..<below(most + 1) { values.append(make(&self)) }
    return values
  }

  /// Any text, including text that requests reject.
  mutating func text() -> String {
    let pieces = [
      "a", "Ä", "e\u{301}", "🦉", "👩‍👩‍👧", "\"", "\\", "/", "\n", "\r\n", "\0", "\u{1B}[2J", "\u{7F}", "\u{2028}",
      "\u{202E}", "\u{FEFF}", "</script>", "null", " ",
    ]
    return some(upTo: 6) { $0.pick(pieces) }.joined()
  }

  /// Text that is valid as a label.
  mutating func label() -> String {
    "l" + some(upTo: 6) { $0.pick(["a", "Ä", "🦉", "\"", "\\", "/", " ", "~1"]) }.joined()
  }

  /// A valid name of an app, a surface, a sheet or a button.
  mutating func name() -> String {
    "n" + some(upTo: 8) { $0.pick(["a", "Z", "0", ".", "-", "_"]) }.joined()
  }

  mutating func number() -> JSONValue.Number {
    let literals = ["0", "-0", "1.50", "1e2", "-12", "9223372036854775807", "9223372036854775808", "0.1", "1E-7", "1e400"]
    return chance(50) ? JSONValue.Number(below(2_000_000) - 1_000_000) : JSONValue.Number(literal: pick(literals))
  }

  mutating func json(depth: Int = 3) -> JSONValue {
    switch below(depth > 0 ? 7 : 5) {
    case 0: return .null
    case 1: return .bool(chance(50))
    case 2: return .number(number())
    case 3, 4: return .string(text())
    case 5: return .array(some(upTo: 3) { $0.json(depth: depth - 1) })
    default:
      let members = some(upTo: 3) { ($0.text(), $0.json(depth: depth - 1)) }
      return .object(OrderedDictionary(members, uniquingKeysWith: { first, _ in first }))
    }
  }

  mutating func button<Action>(_ action: (inout Self) -> Action) -> ButtonState<Action> {
    ButtonState(
      text(), id: maybe { $0.name() }, role: maybe { $0.pick(ButtonRole.allCases) }, action: maybe(action))
  }

  mutating func alert<Action>(_ action: (inout Self) -> Action) -> AlertState<Action> {
    AlertState(text(), message: maybe { $0.text() }) { some(upTo: 4) { $0.button(action) } }
  }

  mutating func dialog<Action>(_ action: (inout Self) -> Action) -> ConfirmationDialogState<Action> {
    ConfirmationDialogState(
      text(), titleVisibility: pick(PresentationRequest.TitleVisibility.allCases), message: maybe { $0.text() }
    ) {
      some(upTo: 4) { $0.button(action) }
    }
  }
}
