import Glibc
import Router

/// Bytes in dedicated memory, overwritten when the last reference is released.
///
/// Copies of an answer in JSON and HTTP buffers are not covered: a front end that handles a secret should exit soon after and
/// disable core dumps (``forbidCoreDumps()``).
package final class SecretBytes: Sendable {
  private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

  /// Concatenates the parts.
  init(_ parts: any Collection<UInt8>...) {
    let count = parts.reduce(0) { $0 + $1.count }
    memory = .allocate(byteCount: count, alignment: 1)
    var index = 0
    for part in parts {
      for byte in part {
        memory[index] = byte
        index += 1
      }
    }
  }

  convenience init(_ text: String) { self.init(text.utf8) }

  deinit {
    if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
    memory.deallocate()
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(memory))
  }

  /// Writes all bytes to standard output.
  func print() { withBytes { StandardStream.output.bytes($0) } }

  /// Disables core dumps of this process and of its children.
  ///
  /// A program that receives dumps through a pipe (core(5)) may ignore the limit, so the filter also excludes all memory from a
  /// dump. PR_SET_DUMPABLE would do both, but makes /proc/PID unreadable for a daemon that is not root, which then could not
  /// identify the requesting program.
  package static func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard filter >= 0 else { return }
    _ = Glibc.write(filter, "0", 1)
    close(filter)
  }
}
