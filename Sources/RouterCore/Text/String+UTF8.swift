package import OrderedCollections

/// Compares and splits texts from outside by their UTF-8.
///
/// Swift strings are equal if they are canonically equivalent (é in two forms, or K and the Kelvin sign). CR LF is one
/// `Character`, and a combining mark joins the preceding `Character`, so that a search for `/` or `"` fails. Other programs,
/// the kernel and the record compare bytes. Use `==`, `hasPrefix` and `split(separator:)` of strings only for this program's
/// own texts.
extension StringProtocol {
  // Inlinable, so that other modules use specialized code: a generic view of UTF-8 is slow.

  /// Whether both texts have the same bytes.
  @inlinable package func isSame(as other: some StringProtocol) -> Bool {
    withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
  }

  @inlinable package func begins(with prefix: some StringProtocol) -> Bool {
    withBytes { bytes in prefix.withBytes { bytes.prefix($0.count).elementsEqual($0) } }
  }

  @inlinable package func ends(with suffix: some StringProtocol) -> Bool {
    withBytes { bytes in suffix.withBytes { bytes.suffix($0.count).elementsEqual($0) } }
  }

  @inlinable package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }

  /// Returns the rest after a prefix; `nil` if the text does not begin with it.
  package func rest(after prefix: some StringProtocol) -> SubSequence? {
    begins(with: prefix) ? self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...] : nil
  }

  /// Splits at an ASCII character.
  package func split(
    at separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [SubSequence] {
    utf8.split(
      separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences
    ).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// Returns the texts before and after the first occurrence of an ASCII character; `nil` if there is none.
  package func cut(at separator: Unicode.Scalar) -> (before: SubSequence, after: SubSequence)? {
    guard let place = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
    return (self[..<place], self[utf8.index(after: place)...])
  }

  /// The lines of a text from a person or another program. A line ends with LF or CR LF; a final line break does not start
  /// another line.
  package var lines: [SubSequence] {
    var lines = split(at: "\n", omittingEmptySubsequences: false)
    let rest = lines.removeLast()
    for (index, line) in lines.enumerated() where line.unicodeScalars.last == "\r" {
      lines[index] = line[..<line.unicodeScalars.index(before: line.endIndex)]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  /// Replaces every occurrence of an ASCII character.
  package func replacing(each scalar: Unicode.Scalar, with text: String) -> String {
    split(at: scalar, omittingEmptySubsequences: false).joined(separator: text)
  }
}

extension String {
  /// Replaces every occurrence of some code points with another one.
  package func replacing(anyOf scalars: String, with scalar: Unicode.Scalar) -> String {
    let replaced = unicodeScalars.map { scalars.unicodeScalars.contains($0) ? scalar : $0 }
    return String(String.UnicodeScalarView(replaced))
  }

  /// The text with LF for each CR LF.
  package var withUnixLineEnds: String {
    guard utf8.contains(0x0D) else { return self }
    var output: [UInt8] = []
    for byte in utf8 {
      if byte == 0x0A, output.last == 0x0D { output.removeLast() }
      output.append(byte)
    }
    return String(decoding: output, as: UTF8.self)
  }
}

/// A text that is equal only to the same bytes.
package struct ExactText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isSame(as: right.text) }
}

extension OrderedDictionary where Key == String {
  /// Returns the value of the key with the same bytes.
  package subscript(exactly key: String) -> Value? {
    guard let index = index(forKey: key), keys[index].isSame(as: key) else { return nil }
    return values[index]
  }
}

extension Dictionary where Key == String {
  /// Returns the value of the key with the same bytes.
  package subscript(exactly key: String) -> Value? {
    guard let index = index(forKey: key), self[index].key.isSame(as: key) else { return nil }
    return self[index].value
  }
}
