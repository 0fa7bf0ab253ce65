import Glibc

/// The lines of the Assuan protocol (libassuan's manual), which gpg-agent speaks with its pinentry.
enum Assuan {
  /// The most bytes of a line, without its end.
  static let maximumLine = 1000

  /// Decodes `%XX`. Anything else stays as it is.
  static func decoded(_ text: some StringProtocol) -> String {
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
        output.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map(UInt8.init)
  }

  /// The bytes with `%`, control characters and, for an `INQUIRE`, `+` as `%XX`.
  static func encoded(_ bytes: some Collection<UInt8>, plus: Bool = false) -> some Collection<UInt8> {
    // Lazily, so that no further copy of a secret is made.
    bytes.lazy.flatMap { byte -> [UInt8] in
      let isPlain = byte >= 0x20 && byte != UInt8(ascii: "%") && !(plus && byte == UInt8(ascii: "+"))
      return isPlain ? [byte] : [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 0xF)]
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }

  /// libgpg-error's codes with the source "Pinentry".
  enum Failure: UInt32, CaseIterable {
    case timeout = 62
    case noPinentry = 85
    case canceled = 99
    case notConfirmed = 114
    case unknownOption = 174
    case invalidValue = 261
    case lineTooLong = 263
    case unexpectedCommand = 274
    case unknownCommand = 275
    case syntax = 276
    case parameter = 280

    var line: String { "ERR \(5 << 24 | rawValue) \(text) <Pinentry>" }

    private var text: String {
      switch self {
      case .timeout: "Timeout"
      case .noPinentry: "No pinentry"
      case .canceled: "Operation cancelled"
      case .notConfirmed: "Not confirmed"
      case .unknownOption: "Unknown option"
      case .invalidValue: "Invalid value"
      case .lineTooLong: "Line too long"
      case .unexpectedCommand: "Unexpected IPC command"
      case .unknownCommand: "Unknown IPC command"
      case .syntax: "IPC syntax error"
      case .parameter: "IPC parameter error"
      }
    }
  }

  enum Line: Sendable, Hashable {
    case text(String)
    case tooLong
  }

  /// Reads lines from a descriptor. Blocks its thread.
  struct Reader: ~Copyable {
    let descriptor: Int32
    private var buffered: [UInt8] = []
    /// Whether the rest of a line that was too long is still to come.
    private var isSkipping = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line, without its end; `nil` at the end of the input.
    mutating func next() -> Line? {
      while true {
        if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
          var line = buffered[..<end]
          buffered.removeSubrange(...end)
          if isSkipping {
            isSkipping = false
            continue
          }
          guard line.count <= maximumLine else { return .tooLong }
          if line.last == UInt8(ascii: "\r") { line.removeLast() }
          return .text(String(decoding: line, as: UTF8.self))
        }
        if buffered.count > maximumLine {
          buffered = []
          if !isSkipping {
            isSkipping = true
            return .tooLong
          }
        }
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        buffered += chunk[..<count]
      }
    }
  }
}
