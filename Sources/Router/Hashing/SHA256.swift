import CSHA256

/// SHA-256 (FIPS 180-4), for the hash chain. Docs/Decisions/crypto.md says why it is here.
struct SHA256: Sendable {
  /// How many bytes a hash has.
  static let byteCount = 32
  private static let blockBytes = 64

  /// Whether the processor compresses by instructions of its own; else the code below does.
  static let isAccelerated = csha256_is_available() != 0

  private var message: [UInt8] = []

  init() {}

  /// Takes in more of the message.
  mutating func update(_ bytes: some Sequence<UInt8>) {
    message.append(contentsOf: bytes)
  }

  /// Ends the message and gives its hash.
  consuming func finalize() -> [UInt8] {
    message.withUnsafeBytes { Self.hash($0) }
  }

  /// The hash of a whole message.
  static func hash(_ message: UnsafeRawBufferPointer, accelerated: Bool = isAccelerated) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
      hash(message, into: UnsafeMutableRawBufferPointer(bytes), accelerated: accelerated)
      count = byteCount
    }
  }

  /// Writes the hash of a whole message to a place with room for ``byteCount`` bytes, which may be in the message.
  static func hash(
    _ message: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer, accelerated: Bool = isAccelerated
  ) {
    var state: State = Self.start
    let whole = message.count / blockBytes * blockBytes
    compress(UnsafeRawBufferPointer(rebasing: message[..<whole]), into: &state, accelerated: accelerated)
    // What is left, a one bit, zeros, and the length in bits (section 5.1.1): one block or two.
    let rest = message.count - whole
    let count = rest < 56 ? blockBytes : 2 * blockBytes
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { end in
      end.initializeMemory(as: UInt8.self, repeating: 0)
      end.copyMemory(from: UnsafeRawBufferPointer(rebasing: message[whole...]))
      end[rest] = 0x80
      end.storeBytes(of: UInt64(message.count * 8).bigEndian, toByteOffset: count - 8, as: UInt64.self)
      compress(UnsafeRawBufferPointer(end), into: &state, accelerated: accelerated)
    }
    for index in 0..<8 { place.storeBytes(of: state[index].bigEndian, toByteOffset: index * 4, as: UInt32.self) }
  }

  private typealias State = SIMD8<UInt32>

  private static let start = State(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

  /// Takes in whole blocks.
  private static func compress(_ bytes: UnsafeRawBufferPointer, into state: inout State, accelerated: Bool) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    let blocks = bytes.count / blockBytes
    constants.withUnsafeBufferPointer { constants in
      if accelerated {
        withUnsafeMutableBytes(of: &state) {
          csha256_compress(
            $0.baseAddress?.assumingMemoryBound(to: UInt32.self), base.assumingMemoryBound(to: UInt8.self), blocks,
            constants.baseAddress)
        }
      } else {
        for block in 0..<blocks { compressBlock(base + block * blockBytes, into: &state, constants) }
      }
    }
  }

  /// The compression of one block (section 6.2.2).
  private static func compressBlock(
    _ block: UnsafeRawPointer, into state: inout State, _ constants: UnsafeBufferPointer<UInt32>
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for index in 0..<16 {
        schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
      }
      for index in 16..<64 {
        let (early, late) = (schedule[index - 15], schedule[index - 2])
        let first = early.rotated(by: 7) ^ early.rotated(by: 18) ^ early >> 3
        let second = late.rotated(by: 17) ^ late.rotated(by: 19) ^ late >> 10
        schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for index in 0..<64 {
        let choice = (e & f) ^ (~e & g)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        let first = h &+ (e.rotated(by: 6) ^ e.rotated(by: 11) ^ e.rotated(by: 25)) &+ choice
        let second = first &+ constants[index] &+ schedule[index]
        let third = (a.rotated(by: 2) ^ a.rotated(by: 13) ^ a.rotated(by: 22)) &+ majority
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ second, c, b, a, second &+ third)
      }
      state = state &+ State(a, b, c, d, e, f, g, h)
    }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension UInt32 {
  fileprivate func rotated(by count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
