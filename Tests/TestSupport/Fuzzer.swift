import FoundationEssentials

/// Runs a parser on mutated samples: flipped bits, truncated, spliced, repeated and removed parts, extreme numbers.
///
/// `ROUTER_FUZZ` sets the number of inputs. To reproduce one, set `ROUTER_SEED` to its seed, and `ROUTER_FUZZ=1`.
package enum Fuzzer {
  private static let tokens = [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "-1", "0", "1e400", "1e-400",
    "NaN",
    "4294967296", "\"\"", "{}", "[]", "null", "\\u0000", "\\ud800", "\u{0}", "\u{FEFF}", "\u{1B}[", "\r\n", "\n\n", ": ", ",",
    "{", "[",
    "é", "😀", "\u{202E}",
  ].map { Array($0.utf8) }
  private static let maximumBytes = 4096

  /// - Parameters:
  ///   - name: The parser's name, for the summary line.
  ///   - samples: Valid inputs.
  ///   - parse: Called with each input and its seed. Returns whether the parser accepted the input.
  package static func run(
    _ name: String, _ samples: [String], _ parse: (_ input: [UInt8], _ seed: UInt64) throws -> Bool
  ) rethrows {
    func number(_ variable: String) -> UInt64? { ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) } }
    let seed = number("ROUTER_SEED") ?? .random(in: 0...UInt64.max)
    let count = number("ROUTER_FUZZ") ?? 5000
    print("ROUTER_SEED=\(seed) in \(name)")
    let samples = samples.map { Array($0.utf8) }
    var taken = 0
    for index in 0..<count where try parse(input(samples, seed: seed &+ index), seed &+ index) { taken += 1 }
    print("\(name): \(count) inputs, \(taken) of them taken")
  }

  private static func input(_ samples: [[UInt8]], seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    var bytes = random.pick(samples)
    for _ in 0...random.below(6) {
      let place = random.below(bytes.count + 1)
      let part = place..<min(bytes.count, place + random.below(24))
      switch random.below(10) {
      case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeSubrange(part)
      case 3: bytes.insert(contentsOf: Array(bytes[part]), at: place)
      case 4: bytes.removeSubrange(place...)
      case 5:
        let other = random.pick(samples)
        bytes.replaceSubrange(place..., with: other[random.below(other.count + 1)...])
      case 6:
        let part = Array(bytes[part])
        for _ in 0..<random.below(40) { bytes.insert(contentsOf: part, at: place) }
      case 7:
        // Replaces one number with another.
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard let first = bytes[place...].firstIndex(where: isDigit) else { break }
        let end = bytes[first...].firstIndex { !isDigit($0) } ?? bytes.endIndex
        bytes.replaceSubrange(first..<end, with: random.pick(Array(tokens[..<10])))
      default: bytes.insert(contentsOf: random.pick(tokens), at: place)
      }
      if bytes.count > maximumBytes { bytes.removeSubrange(maximumBytes...) }
    }
    return bytes
  }
}
