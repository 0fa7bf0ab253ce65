import Glibc
import Router

/// The Assuan protocol between gpg-agent and pinentry (see libassuan's manual).
enum Assuan {
  /// The maximum length of a line in bytes, without its line feed.
  static let maximumLine = 1000

  /// Decodes `%XX`; leaves everything else unchanged.
  static func decoded(_ text: some StringProtocol) -> String {
    String(decoding: text.utf8.percentDecoded(isLenient: true) ?? [], as: UTF8.self)
  }

  /// Encodes `%`, control characters and, for an `INQUIRE`, `+` as `%XX`.
  static func encoded(_ bytes: some Collection<UInt8>, plus: Bool = false) -> some Collection<UInt8> {
    // Lazy, to avoid another copy of a secret.
    bytes.lazy.flatMap { byte -> [UInt8] in
      let isPlain = byte >= 0x20 && byte != UInt8(ascii: "%") && !(plus && byte == UInt8(ascii: "+"))
      return isPlain ? [byte] : byte.percentEscape
    }
  }

  /// libgpg-error codes with the source "Pinentry".
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

  /// Reads lines from a descriptor, blocking its thread.
  struct Reader: ~Copyable {
    let descriptor: Int32
    private var buffered: [UInt8] = []
    /// Whether the parser is skipping the rest of a line that is too long.
    private var isSkipping = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Returns the next line without its line feed; `nil` at the end of the input.
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
