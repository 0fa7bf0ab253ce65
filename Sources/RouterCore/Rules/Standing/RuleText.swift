/// A text that rules match against patterns, with its properties computed once for all patterns.
struct RuleText: Sendable {
  let bytes: ArraySlice<UInt8>
  /// The path without `.` and empty components, and with `..` resolved lexically; `nil` if it is already in this form.
  let normalized: [UInt8]?

  init(_ text: String) { self.init(Array(text.utf8)[...]) }

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    normalized = bytes.hasOddComponents ? bytes.normalizedPath : nil
  }
}

extension ArraySlice<UInt8> {
  private static var slash: UInt8 { UInt8(ascii: "/") }

  /// Whether the path has a component `.` or `..`, or an empty one. URLs have an empty one after the scheme.
  fileprivate var hasOddComponents: Bool {
    withUnsafeBufferPointer { bytes in
      var start = 0
      for end in 0...bytes.count where end == bytes.count || bytes[end] == Self.slash {
        if end == start {
          let isInside = start > 0 && end < bytes.count
          if isInside, start < 2 || bytes[start - 2] != UInt8(ascii: ":") { return true }
        } else if end - start <= 2, bytes[start..<end].allSatisfy({ $0 == UInt8(ascii: ".") }) {
          return true
        }
        start = end + 1
      }
      return false
    }
  }

  fileprivate var normalizedPath: [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    for part in split(separator: Self.slash) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8), let last = parts.last, !last.elementsEqual("..".utf8) {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (first == Self.slash ? [Self.slash] : []) + parts.joined(separator: [Self.slash])
  }
}
