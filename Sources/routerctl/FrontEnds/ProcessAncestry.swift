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
    /// The command line as the kernel reports it; `nil` if it cannot be read, or is too long for a prompt.
    var arguments: [[UInt8]]?
  }

  /// The most bytes of a message.
  static let maximumBytes = 65_536

  var processes: [Process]
  /// Whether these are all up to process 1. Otherwise a process above them could not be read.
  var isWhole: Bool

  init(_ processes: [Process], isWhole: Bool = true) {
    self.processes = processes
    self.isWhole = isWhole
  }

  /// Reads a process's ancestry, except process 1.
  init(of pid: Int32) {
    self.init([])
    var next = pid
    while next > 1 {
      guard processes.count < 256, let (process, parent) = Process.read(next) else {
        isWhole = false
        return
      }
      processes.append(process)
      next = parent
    }
  }

  /// The ancestry for display, such as `git (812) ← zsh (700)`.
  var text: String {
    (processes.map { "\($0.name) (\($0.pid))" } + (isWhole ? [] : ["a process that cannot be seen"])).joined(separator: " ← ")
  }
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
    let executable = ProcessIdentity(uid: uid, gid: 0, lookingUp: pid).executable?.split(separator: "/").last
    let arguments = SmallFile.bytes("/proc/\(pid)/cmdline", limit: ProcessAncestry.maximumBytes).flatMap(arguments)
    return (Self(pid: pid, uid: uid, name: String(executable ?? field("Name") ?? "?"), arguments: arguments), parent)
  }

  /// Returns the arguments in the content of `/proc/PID/cmdline`; `nil` if the process has none to read.
  static func arguments(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard !bytes.isEmpty else { return nil }
    // The kernel ends each argument with a NUL, unless the process has written over them.
    return (bytes.last == 0 ? bytes.dropLast() : bytes[...]).split(separator: 0, omittingEmptySubsequences: false).map(
      Array.init)
  }
}

/// Reads small system files.
enum SmallFile {
  /// The file's text; `nil` if it cannot be read, is not a regular file or is longer than the limit.
  static func text(_ path: String, limit: Int = 65_536) -> String? {
    bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file's content; `nil` if it cannot be read, is not a regular file or is longer than the limit.
  static func bytes(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0, bytes.count + count <= limit else { return nil }
      bytes += buffer[..<count]
    }
  }
}
