import CLinux
import Glibc

/// `CLOCK_MONOTONIC`, which systemd uses. It stops while the machine is suspended.
package enum MonotonicClock {
  package static var microseconds: Int64 {
    var time = clinux_time()
    clinux_clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.seconds) * 1_000_000 + Int64(time.nanoseconds) / 1000
  }
}
