/// Reads keys from the bytes that a terminal sends (ECMA-48, section 5.4; xterm's control sequences).
///
/// What it does not know means nothing, and so does what is not UTF-8. A lone Escape is one only when nothing has followed it
/// for a moment: whoever feeds the parser says when that has passed.
struct KeyParser: Sendable {
  /// The longest control sequence, and the longest paste, that is taken.
  static let maximumSequence = 32
  static let maximumPaste = 1 << 20

  private enum State: Sendable {
    case ground
    /// In the middle of a character of so many more bytes; with Alt held, it is no text.
    case character([UInt8], missing: Int, isAlt: Bool)
    case escape
    /// After `ESC [`.
    case control([UInt8])
    /// After `ESC O`.
    case single
    /// Between the marks of a bracketed paste.
    case paste
  }

  private var state = State.ground
  /// What was pasted so far.
  private var pasted: [UInt8] = []

  /// Whether what comes next decides what was pressed.
  var isPending: Bool {
    switch state {
    case .escape, .control, .single, .character: true
    case .ground, .paste: false
    }
  }

  /// Takes bytes as they come.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      if let key = feed(byte) { keys.append(key) }
      if pendingEscape { keys.append(.escape) }
      pendingEscape = false
    }
    return keys
  }

  /// Nothing has come for a moment: an Escape was just that.
  mutating func pause() -> Key? {
    defer { if isPending { state = .ground } }
    if case .escape = state { return .escape }
    return nil
  }

  /// An Escape that another one followed.
  private var pendingEscape = false

  private mutating func feed(_ byte: UInt8) -> Key? {
    switch state {
    case .ground: return start(byte, isAlt: false)
    case .character(let bytes, let missing, let isAlt): return proceed(bytes, missing, isAlt, byte)
    case .escape:
      switch byte {
      case 0x1B:
        pendingEscape = true
        return nil
      case UInt8(ascii: "["): state = .control([])
      case UInt8(ascii: "O"): state = .single
      default:
        state = .ground
        // With Alt, a key is none of those that mean something here.
        _ = start(byte, isAlt: true)
      }
      return nil
    case .single:
      state = byte == 0x1B ? .escape : .ground
      // The Enter of the keypad comes so, where the keypad sends what it is.
      return byte == UInt8(ascii: "M") ? .enter : Self.cursorKey(byte)
    case .control(let bytes): return control(bytes, byte)
    case .paste: return paste(byte)
    }
  }

  private mutating func start(_ byte: UInt8, isAlt: Bool) -> Key? {
    switch byte {
    case 0x1B: state = .escape
    case 0x20..<0x7F: return isAlt ? nil : .text(String(UnicodeScalar(byte)))
    case 0xC2...0xDF: state = .character([byte], missing: 1, isAlt: isAlt)
    case 0xE0...0xEF: state = .character([byte], missing: 2, isAlt: isAlt)
    case 0xF0...0xF4: state = .character([byte], missing: 3, isAlt: isAlt)
    default: return isAlt ? nil : Self.controlKey(byte)
    }
    return nil
  }

  private mutating func proceed(_ bytes: [UInt8], _ missing: Int, _ isAlt: Bool, _ byte: UInt8) -> Key? {
    guard byte & 0xC0 == 0x80 else {
      // What was begun is no character; this byte may begin another.
      state = .ground
      return feed(byte)
    }
    guard missing == 1 else {
      state = .character(bytes + [byte], missing: missing - 1, isAlt: isAlt)
      return nil
    }
    state = .ground
    guard !isAlt, let text = String(validating: bytes + [byte], as: UTF8.self) else { return nil }
    let isControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return isControl ? nil : .text(text)
  }

  private mutating func control(_ bytes: [UInt8], _ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B: state = .escape
    // Of what is too long nothing is taken, but its end is waited for.
    case 0x20..<0x40: state = .control(bytes.count < Self.maximumSequence ? bytes + [byte] : bytes)
    case 0x40..<0x7F:
      state = .ground
      let number = Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
      switch (byte, number) {
      case (UInt8(ascii: "~"), 200): state = .paste
      case (UInt8(ascii: "~"), let number?): return Self.numberedKeys[number]
      case (UInt8(ascii: "Z"), _): return .backTab
      default: return Self.cursorKey(byte)
      }
    default: state = .ground
    }
    return nil
  }

  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  private mutating func paste(_ byte: UInt8) -> Key? {
    pasted.append(byte)
    guard byte == Self.endOfPaste.last, pasted.suffix(Self.endOfPaste.count) == Self.endOfPaste[...] else {
      // Of what is too long nothing is taken, but its end is waited for.
      if pasted.count > Self.maximumPaste { pasted.removeFirst(pasted.count - Self.endOfPaste.count) }
      return nil
    }
    let text = String(decoding: pasted.dropLast(Self.endOfPaste.count), as: UTF8.self)
    state = .ground
    pasted = []
    return .paste(text)
  }

  private static func controlKey(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0A, 0x0D: .enter
    case 0x09: .tab
    case 0x08, 0x7F: .backspace
    case 0x01: .home
    case 0x02: .left
    case 0x04: .delete
    case 0x05: .end
    case 0x06: .right
    case 0x0C: .redraw
    case 0x0E: .down
    case 0x10: .up
    case 0x15: .deleteLine
    case 0x17: .deleteWord
    default: nil
    }
  }

  private static func cursorKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  private static let numberedKeys: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]
}
