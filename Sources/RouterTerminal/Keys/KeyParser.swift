import RouterCore

/// Parses keys from a terminal's bytes (ECMA-48, section 5.4; xterm's control sequences); ignores unknown sequences. An Escape
/// becomes a key when no input follows for a moment, which the caller reports with ``pause()``.
package struct KeyParser: Sendable {
  static let maximumSequence = 32
  package static let maximumPaste = 1 << 20

  private enum State: Sendable {
    case ground
    /// Inside a multi-byte character; with Alt it is not text.
    case character([UInt8], missing: Int, isAlt: Bool)
    case escape
    /// After `ESC [`.
    case control([UInt8])
    /// After `ESC O`.
    case single
    /// Inside a bracketed paste.
    case paste
  }

  private var state = State.ground
  private var pasted: [UInt8] = []

  package init() {}

  /// Whether the key is ambiguous until the next byte or ``pause()``.
  package var isPending: Bool {
    switch state {
    case .escape, .control, .single, .character: true
    case .ground, .paste: false
    }
  }

  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      if let key = feed(byte) { keys.append(key) }
      if pendingEscape { keys.append(.escape) }
      pendingEscape = false
    }
    return keys
  }

  /// Call this when no input has followed for a moment: a pending Escape becomes a key.
  package mutating func pause() -> Key? {
    defer { if isPending { state = .ground } }
    if case .escape = state { return .escape }
    return nil
  }

  /// Whether an Escape followed by another Escape is pending.
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
        // Alt combinations are ignored.
        _ = start(byte, isAlt: true)
      }
      return nil
    case .single:
      state = byte == 0x1B ? .escape : .ground
      // Enter on the keypad.
      return byte == UInt8(ascii: "M") ? .enter : Self.cursorKeys[byte]
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
    default: return isAlt ? nil : Self.controlKeys[byte]
    }
    return nil
  }

  private mutating func proceed(_ bytes: [UInt8], _ missing: Int, _ isAlt: Bool, _ byte: UInt8) -> Key? {
    guard byte & 0xC0 == 0x80 else {
      // Invalid UTF-8; the byte may begin another character.
      state = .ground
      return feed(byte)
    }
    guard missing == 1 else {
      state = .character(bytes + [byte], missing: missing - 1, isAlt: isAlt)
      return nil
    }
    state = .ground
    guard !isAlt, let text = String(validating: bytes + [byte], as: UTF8.self) else { return nil }
    return text.unicodeScalars.contains(where: \.isControl) ? nil : .text(text)
  }

  private mutating func control(_ bytes: [UInt8], _ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B: state = .escape
    // Too long: skip to its end.
    case 0x20..<0x40: state = .control(bytes.count < Self.maximumSequence ? bytes + [byte] : bytes)
    case 0x40..<0x7F:
      state = .ground
      let number = Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
      switch (byte, number) {
      case (UInt8(ascii: "~"), 200): state = .paste
      case (UInt8(ascii: "~"), let number?): return Self.numberedKeys[number]
      case (UInt8(ascii: "Z"), _): return .backTab
      default: return Self.cursorKeys[byte]
      }
    default: state = .ground
    }
    return nil
  }

  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  private mutating func paste(_ byte: UInt8) -> Key? {
    pasted.append(byte)
    guard byte == Self.endOfPaste.last, pasted.suffix(Self.endOfPaste.count) == Self.endOfPaste[...] else {
      // Too long: skip to its end.
      if pasted.count > Self.maximumPaste { pasted.removeFirst(pasted.count - Self.endOfPaste.count) }
      return nil
    }
    let text = String(decoding: pasted.dropLast(Self.endOfPaste.count), as: UTF8.self)
    state = .ground
    pasted = []
    return .paste(text)
  }

  private static let controlKeys: [UInt8: Key] = [
    0x0A: .enter, 0x0D: .enter, 0x09: .tab, 0x08: .backspace, 0x7F: .backspace, 0x01: .home, 0x02: .left, 0x04: .delete,
    0x05: .end, 0x06: .right, 0x0C: .redraw, 0x0E: .down, 0x10: .up, 0x15: .deleteLine, 0x17: .deleteWord,
    0x18: .goBack,
  ]
  /// Cursor keys by the final byte of their sequence, A to H.
  private static let cursorKeys: [UInt8: Key] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end,
  ]
  private static let numberedKeys: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]
}
