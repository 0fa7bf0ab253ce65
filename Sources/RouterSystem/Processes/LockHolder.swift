import Glibc
import RouterCore

/// The process that holds a lock of a file (flock(2)).
package enum LockHolder {
  /// Describes the process for an error, such as "routerd is running and using it (pid 42)".
  package static func description(of descriptor: Int32) -> String {
    // Each read of /proc/locks continues at a line number, so a line is skipped if an earlier lock was released since the
    // read before.
    for _ in 0..<100 {
      if let holder = holder(of: descriptor) { return "\(holder.command) is running and using it (pid \(holder.pid))" }
    }
    return "another process is using it"
  }

  private static func holder(of descriptor: Int32) -> Proc.Stat? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let locks = Proc.bytes(of: "/proc/locks") else { return nil }
    return pid(in: String(showing: locks), inode: UInt64(status.st_ino), device: UInt64(status.st_dev)).flatMap(Proc.Stat.init)
  }

  /// Finds the process in the text of `/proc/locks` (proc_locks(5)).
  package static func pid(in locks: String, inode: UInt64, device: UInt64) -> Int32? {
    let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
    let file = [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) } + [String(inode)]
    for line in locks.split(at: "\n") {
      let fields = line.split(at: " ")
      guard fields.count >= 6, fields[1] == "FLOCK", fields[5] == file.joined(separator: ":") else { continue }
      return Int32(fields[4])
    }
    return nil
  }
}
