import Glibc
import Router

/// A process and its ancestors, nearest first, as read from `/proc`.
///
/// A name is the file name of the executable, or the kernel's `comm` if that cannot be read. A process can choose both: they
/// inform the person but prove nothing.
struct ProcessAncestry: Sendable, Hashable {
  struct Process: Sendable, Hashable {
    var pid: Int32
    /// The real user id.
    var uid: UInt32
    var name: String
    /// The command line as the kernel reports it.
    var arguments: [String]
  }

  var processes: [Process]

  init(_ processes: [Process]) { self.processes = processes }

  /// Reads a process's ancestry, except process 1; empty if the process does not exist.
  init(of pid: Int32) {
    processes = []
    var next = pid
    while next > 1, processes.count < 32, let (process, parent) = Process.read(next) {
      processes.append(process)
      next = parent
    }
  }

  /// The ancestry for display, such as `git (812) ← zsh (700)`; empty if unknown.
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
    // The kernel appends " (deleted)" if the executable was replaced, for example by an upgrade.
    let executable = ProcessIdentity(uid: uid, gid: 0, lookingUp: pid).executable?
      .replacing(" (deleted)", with: "").split(separator: "/").last
    let arguments = SmallFile.text("/proc/\(pid)/cmdline", limit: 4 << 20)?.split(
      separator: "\0", omittingEmptySubsequences: false)
    // The kernel ends each argument with a NUL.
    let words = (arguments?.dropLast() ?? []).map(String.init)
    return (Self(pid: pid, uid: uid, name: String(executable ?? field("Name") ?? "?"), arguments: words), parent)
  }
}

/// Reads small system files.
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
