import Router

/// A process and its ancestors, nearest first, as read from `/proc`.
///
/// A name is the file name of the executable, or the kernel's `comm` if the executable cannot be read. A process can choose
/// both: they inform the person but prove nothing.
struct ProcessAncestry: Sendable, Hashable {
  struct Process: Sendable, Hashable {
    var pid: Int32
    /// The real user id.
    var uid: UInt32
    var name: String
    /// The command line from the kernel; `nil` if it cannot be read, or is too long for a prompt.
    var arguments: [[UInt8]]?
  }

  var processes: [Process]
  /// Whether the list extends to process 1. Otherwise an ancestor could not be read.
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
      guard processes.count < 256, let status = ProcessStatus(next) else {
        isWhole = false
        return
      }
      processes.append(Process(next, status))
      next = status.parent
    }
  }

  /// The ancestry for display, such as `git (812) ← zsh (700)`.
  var text: String {
    (processes.map { "\($0.name) (\($0.pid))" } + (isWhole ? [] : ["a process that cannot be seen"])).joined(separator: " ← ")
  }
}

extension ProcessAncestry.Process {
  fileprivate init(_ pid: Int32, _ status: ProcessStatus) {
    let commandLine = Proc.bytes(pid, "cmdline", limit: 65_537).flatMap { $0.count > 65_536 ? nil : $0 }
    self.init(
      pid: pid, uid: status.realUID, name: Proc.executable(pid)?.fileName ?? status.name,
      arguments: commandLine.flatMap(Self.arguments))
  }

  /// Parses the content of `/proc/PID/cmdline`; `nil` if the process has no readable arguments.
  static func arguments(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard !bytes.isEmpty else { return nil }
    // The kernel ends each argument with a NUL, unless the process has overwritten them.
    return (bytes.last == 0 ? bytes.dropLast() : bytes[...]).split(separator: 0, omittingEmptySubsequences: false).map(
      Array.init)
  }
}
