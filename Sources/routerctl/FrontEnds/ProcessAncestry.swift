import Glibc
import Router

/// A process and the ones it descends from, nearest first, as `/proc` shows them.
///
/// The names are file names of executables, or the kernel's `comm` where the executable cannot be read. A process can choose
/// both: they tell a person who asks, and prove nothing.
struct ProcessAncestry: Sendable, Hashable {
  struct Process: Sendable, Hashable {
    var pid: Int32
    /// The real user id.
    var uid: UInt32
    var name: String
    /// Its command line, as the kernel has it.
    var arguments: [String]
  }

  var processes: [Process]

  init(_ processes: [Process]) { self.processes = processes }

  /// Reads the ancestry of a process, without process 1; empty if there is no such process.
  init(of pid: Int32) {
    processes = []
    var next = pid
    while next > 1, processes.count < 32, let (process, parent) = Process.read(next) {
      processes.append(process)
      next = parent
    }
  }

  /// The ancestry for a person: `git (812) ← zsh (700)`; empty if it is not known.
  var text: String { processes.map { "\($0.name) (\($0.pid))" }.joined(separator: " ← ") }
}

extension ProcessAncestry.Process {
  fileprivate static func read(_ pid: Int32) -> (process: Self, parent: Int32)? {
    guard let status = SmallFile.text("/proc/\(pid)/status") else { return nil }
    func field(_ name: String) -> Substring? {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.dropFirst(name.count + 1).drop(while: \.isWhitespace)
    }
    guard let parent = field("PPid").flatMap({ Int32($0) }),
      let uid = field("Uid")?.split(whereSeparator: \.isWhitespace).first.flatMap({ UInt32($0) })
    else { return nil }
    // The kernel marks an executable whose file was replaced, as by an upgrade.
    let executable = ProcessIdentity(uid: uid, gid: 0, lookingUp: pid).executable?
      .replacing(" (deleted)", with: "").split(separator: "/").last
    let arguments = SmallFile.text("/proc/\(pid)/cmdline", limit: 4 << 20)?.split(
      separator: "\0", omittingEmptySubsequences: false)
    // The kernel ends each argument with a NUL.
    let words = (arguments?.dropLast() ?? []).map(String.init)
    return (Self(pid: pid, uid: uid, name: String(executable ?? field("Name") ?? "?"), arguments: words), parent)
  }
}

/// Files of the system that are read whole.
enum SmallFile {
  /// The file's text; `nil` if it cannot be read, is not a regular file or is longer than the limit.
  static func text(_ path: String, limit: Int = 65_536) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      guard count > 0, bytes.count + count <= limit else { return nil }
      bytes += buffer[..<count]
    }
  }
}
