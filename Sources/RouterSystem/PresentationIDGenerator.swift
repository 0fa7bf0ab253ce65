import FoundationEssentials
package import RouterCore

/// Generates increasing ids, even within a millisecond and when the wall clock is set back (RFC 9562, section 6.2,
/// method 1: a 12-bit counter in `rand_a`, whose random start is in the lower half).
package final class PresentationIDGenerator: Sendable {
  private struct Last {
    var milliseconds: UInt64 = 0
    var counter: UInt16 = 0
  }

  private let last = Mutex(Last())
  private let random: @Sendable () -> UInt64

  /// - Parameter random: Returns random numbers from the whole range.
  package init(random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0...UInt64.max) }) { self.random = random }

  /// - Parameter now: The wall clock. If it is behind the last id, the last time is reused and the counter increases.
  package func next(at now: Timestamp) -> PresentationID {
    let (milliseconds, counter) = last.withLock { last in
      let milliseconds = UInt64(max(0, now.milliseconds))
      if milliseconds > last.milliseconds {
        last = Last(milliseconds: milliseconds, counter: UInt16(random() % 0x800))
      } else if last.counter < 0xFFF {
        last.counter += 1
      } else {
        last = Last(milliseconds: last.milliseconds + 1, counter: 0)
      }
      return (last.milliseconds, last.counter)
    }
    let tail = random()
    func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (8 * index)) }
    return PresentationID(
      uuid: UUID(
        uuid: (
          byte(milliseconds, 5), byte(milliseconds, 4), byte(milliseconds, 3), byte(milliseconds, 2),
          byte(milliseconds, 1), byte(milliseconds, 0), 0x70 | UInt8(counter >> 8), UInt8(counter & 0xFF),
          0x80 | (byte(tail, 7) & 0x3F), byte(tail, 6), byte(tail, 5), byte(tail, 4),
          byte(tail, 3), byte(tail, 2), byte(tail, 1), byte(tail, 0)
        )))
  }
}
