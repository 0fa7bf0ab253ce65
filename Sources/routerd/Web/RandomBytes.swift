import Router

/// Cryptographically secure random bytes.
enum RandomBytes {
  static func make(_ count: Int) -> [UInt8] {
    // The system's generator uses getrandom(2).
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  static func hexadecimal(_ count: Int) -> String {
    make(count).hexadecimal
  }
}
