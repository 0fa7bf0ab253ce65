import Glibc
import RouterCore

/// Reads processes from `/proc`. Values are `nil` if unreadable.
package enum Proc {
  /// The fields of `/proc/PID/stat` (proc_pid_stat(5)).
  package struct Stat: Hashable {
    package let pid: Int32
    let command: String
    package let parent: Int32
    /// The start time in clock ticks since boot.
    package let started: Int
    /// The address of the stack, randomized at each execution; 0 if unreadable.
    let stack: UInt

    package init?(_ pid: Int32) {
      // Field 2, the command name, may contain any byte.
      guard pid > 0, let text = Proc.bytes(pid, "stat"), let start = text.firstIndex(of: UInt8(ascii: "(")),
        let end = text.lastIndex(of: UInt8(ascii: ")")), start < end
      else { return nil }
      // Fields 3 to 28, each after a space, as numbers. Invalid and negative fields are not used.
      var fields: [UInt] = []
      fields.reserveCapacity(27)
      for byte in text[end...].dropFirst() where fields.count < 27 {
        if byte == UInt8(ascii: " ") {
          fields.append(0)
        } else if !fields.isEmpty {
          fields[fields.count - 1] = fields[fields.count - 1] &* 10 &+ UInt(byte &- UInt8(ascii: "0"))
        }
      }
      guard fields.count == 27 else { return nil }
      (self.pid, parent, started, stack) = (pid, Int32(truncatingIfNeeded: fields[1]), Int(fields[19]), fields[25])
      command = String(showing: text[start..<end].dropFirst())
    }
  }

  /// The image of a process. Images are equal until the process executes another program.
  struct Image: Hashable {
    let started: Int
    let stack: UInt
    let file: FileStatus?

    init(_ stat: Stat) {
      (started, stack) = (stat.started, stat.stack)
      file = FileStatus(of: "/proc/\(stat.pid)/exe")
    }
  }

  /// The executable of a process.
  struct Executable {
    let path: String
    let file: FileStatus?
    let doubt: ProcessIdentity.ExecutableDoubt?

    /// - Parameter image: The image just before. Compare it with the image afterward.
    init?(_ pid: Int32, _ image: Image) {
      guard let link = SymbolicLink.target(of: "/proc/\(pid)/exe") else { return nil }
      file = image.file
      // The kernel appends this to the path of a deleted file. The name of an existing file may also end this way.
      let mark = Array(" (deleted)".utf8)
      if let file, file.isSameFile(as: FileStatus(cachedAt: link)) {
        (path, doubt) = (String(showing: link), nil)
      } else if link.suffix(mark.count).elementsEqual(mark) {
        (path, doubt) = (String(showing: link.dropLast(mark.count)), .deleted)
      } else {
        (path, doubt) = (String(showing: link), .otherNamespace)
      }
    }

    /// Whether executing the file gives rights that a process with these ids lacks.
    func gives(moreRightsThan uid: UInt32, _ gid: UInt32) -> Bool {
      guard let file else { return false }
      let mode = mode_t(file.mode)
      return mode & S_ISUID != 0 && file.uid != uid || mode & S_ISGID != 0 && mode & S_IXGRP != 0 && file.gid != gid
    }
  }

  /// Returns the path of the process's executable.
  package static func executable(_ pid: Int32) -> String? { Stat(pid).flatMap { Executable(pid, Image($0)) }?.path }

  /// Returns the target of a symbolic link of the process.
  static func link(_ pid: Int32, _ name: String) -> String? {
    SymbolicLink.target(of: "/proc/\(pid)/\(name)").map { String(showing: $0) }
  }

  static func unit(_ pid: Int32) -> String? {
    bytes(pid, "cgroup").flatMap { SystemdUnit.name(ofCgroups: String(showing: $0)) }
  }

  /// Returns the first arguments, including the program name.
  static func arguments(_ pid: Int32) -> [String]? {
    bytes(pid, "cmdline", limit: 4096)?.split(separator: 0, omittingEmptySubsequences: false).map { String(showing: $0) }
  }

  /// Whether the process belongs to the current user.
  static func isOwn(_ pid: Int32) -> Bool {
    var status = stat()
    return stat("/proc/\(pid)", &status) == 0 && status.st_uid == geteuid()
  }

  /// Whether the process of a descriptor is still running, so that its pid is not reused.
  static func isRunning(_ pidfd: CInt) -> Bool {
    var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0
  }

  /// Returns the login user; `nil` if there is none or the kernel does not report it.
  static func loginUser(_ pid: Int32) -> UInt32? {
    let text = bytes(pid, "loginuid", limit: 16).map { String(decoding: $0, as: UTF8.self).trimmingWhiteSpace }
    return text.flatMap(UInt32.init).flatMap { $0 == .max ? nil : $0 }
  }

  /// Returns the content of a file of the process. The kernel produces it at once, so a short read is the last.
  package static func bytes(_ pid: Int32, _ name: String, limit: Int = .max) -> [UInt8]? {
    bytes(of: "/proc/\(pid)/\(name)", limit: limit)
  }

  static func bytes(of path: String, limit: Int = .max) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    // On the stack; larger buffers are allocated.
    return withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      while bytes.count < limit {
        let count = read(descriptor, buffer.baseAddress!, buffer.count)
        guard count >= 0 else { return nil }
        bytes.append(contentsOf: buffer[..<count])
        if count < buffer.count { break }
      }
      return bytes
    }
  }

  /// Identifies this boot of the machine (random(4)); `nil` if it cannot be read.
  package static let bootID = bytes(of: "/proc/sys/kernel/random/boot_id").map {
    String(decoding: $0, as: UTF8.self).trimmingWhiteSpace
  }

  /// Whether a process with this id and start time is running.
  package static func isRunning(_ pid: Int32, started: Int) -> Bool { Stat(pid)?.started == started }
}
