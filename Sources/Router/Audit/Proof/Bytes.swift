import Glibc

/// A text's bytes where SQLite has them.
typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
  /// Whether these are the same bytes.
  func isSame(as other: Bytes) -> Bool { count == other.count && starts(with: other) }

  /// Whether these are the bytes of a text.
  func isSame(as text: String) -> Bool {
    var text = text
    return text.withUTF8 { isSame(as: Bytes($0)) }
  }

  /// Whether others stand at the beginning.
  func starts(with part: Bytes) -> Bool {
    guard count >= part.count else { return false }
    guard let baseAddress, let first = part.baseAddress else { return true }
    return memcmp(baseAddress, first, part.count) == 0
  }

  /// Whether a text stands at the beginning.
  func starts(with text: StaticString) -> Bool { starts(with: text.bytes) }

  /// Whether a text stands at the beginning.
  func starts(with text: String) -> Bool {
    var text = text
    return text.withUTF8 { starts(with: Bytes($0)) }
  }

  /// Whether a text stands at the end.
  func ends(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && dropping(count - text.utf8CodeUnitCount).starts(with: text)
  }

  /// Whether others stand somewhere in these.
  func contains(_ part: Bytes) -> Bool {
    guard let first = part.first else { return true }
    guard count >= part.count else { return false }
    return (0...count - part.count).contains { self[$0] == first && dropping($0).starts(with: part) }
  }

  /// Whether a text stands somewhere in these.
  func contains(_ text: StaticString) -> Bool { contains(text.bytes) }

  /// Whether a text stands somewhere in these.
  func contains(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { contains(Bytes($0)) }
  }

  /// What comes after so many bytes.
  func dropping(_ count: Int) -> Bytes { Bytes(rebasing: self[count...]) }

  /// Where the JSON object ends that these begin with: its brackets are counted, but for those in strings. `nil` if it does not.
  var endOfObject: Int? {
    guard first == UInt8(ascii: "{") else { return nil }
    var (depth, index, isInString) = (0, 0, false)
    while index < count {
      switch self[index] {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "{") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return nil
  }
}

extension StaticString {
  fileprivate var bytes: Bytes { Bytes(start: utf8Start, count: utf8CodeUnitCount) }
}
