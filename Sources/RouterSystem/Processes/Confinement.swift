import CLinux
import Glibc

/// Restrictions of this process and its children, which no child can lift (seccomp(2), landlock(7)). Programs with the set-user-ID
/// bit get no privileges afterward.
package enum Confinement {
  /// Forbids putting characters into a terminal's input, where a shell would run them (TIOCSTI, TIOCLINUX), and programs of another
  /// architecture.
  ///
  /// - Returns: Whether it succeeded; otherwise `errno` says why.
  package static func forbidTerminalInput() -> Bool {
    guard let architecture, clinux_process_control(noNewPrivileges, 1, 0, 0, 0) == 0 else { return false }
    return filter(architecture.name, architecture.ioctl).withUnsafeBufferPointer { instructions in
      var filter = clinux_filter(count: UInt16(instructions.count), instructions: instructions.baseAddress)
      // SECCOMP_SET_MODE_FILTER.
      return withUnsafeBytes(of: &filter) {
        clinux_system_call(architecture.seccomp, 1, 0, Int(bitPattern: $0.baseAddress)) == 0
      }
    }
  }

  /// Forbids connecting to sockets that are not in the file system (unix(7)), unless a process with the same restriction listens.
  /// X servers have such a socket.
  ///
  /// - Returns: Whether it succeeded, which needs Linux 6.12.
  package static func forbidAbstractSockets() -> Bool {
    // LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET. Rules about files would also forbid mounting.
    var rules = clinux_landlock(files: 0, ports: 0, scope: 1)
    let descriptor = withUnsafeBytes(of: &rules) {
      clinux_system_call(landlockCreateRuleset, Int(bitPattern: $0.baseAddress), $0.count, 0)
    }
    guard descriptor >= 0 else { return false }
    defer { close(CInt(descriptor)) }
    return clinux_process_control(noNewPrivileges, 1, 0, 0, 0) == 0
      && clinux_system_call(landlockRestrictSelf, descriptor, 0, 0) == 0
  }

  /// `PR_SET_NO_NEW_PRIVS`.
  private static let noNewPrivileges: CInt = 38
  // The same on all architectures.
  private static let landlockCreateRuleset = 444
  private static let landlockRestrictSelf = 446

  /// `AUDIT_ARCH_…`, and the numbers of seccomp(2) and ioctl(2); `nil` for another architecture than these.
  private static var architecture: (name: UInt32, seccomp: Int, ioctl: UInt32)? {
    #if arch(x86_64)
    (0xC000_003E, 317, 16)
    #elseif arch(arm64)
    (0xC000_00B7, 277, 29)
    #else
    nil
    #endif
  }

  /// A program for seccomp(2): a decision by the members `nr`, `arch` and `args[1]` of `struct seccomp_data`.
  private static func filter(_ architecture: UInt32, _ ioctl: UInt32) -> [UInt64] {
    func instruction(_ code: UInt16, _ value: UInt32, then: UInt8 = 0, otherwise: UInt8 = 0) -> UInt64 {
      UInt64(code) | UInt64(then) << 16 | UInt64(otherwise) << 24 | UInt64(value) << 32
    }
    func load(_ offset: UInt32) -> UInt64 { instruction(0x20, offset) }
    func isEqual(_ value: UInt32, then: UInt8 = 0, otherwise: UInt8 = 0) -> UInt64 {
      instruction(0x15, value, then: then, otherwise: otherwise)
    }
    let (allow, refuse): (UInt32, UInt32) = (0x7FFF_0000, 0x0005_0000 | UInt32(EPERM))
    return [
      load(4), isEqual(architecture, otherwise: 6),
      // x32 has the architecture of x86-64, and other numbers.
      load(0), instruction(0x35, 0x4000_0000, then: 4), isEqual(ioctl, otherwise: 4),
      load(24), isEqual(0x5412, then: 1), isEqual(0x541C, otherwise: 1),
      instruction(0x06, refuse), instruction(0x06, allow),
    ]
  }
}
