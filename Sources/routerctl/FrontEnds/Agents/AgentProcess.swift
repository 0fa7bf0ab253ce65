import Glibc
import Router

/// The agent for which this process asks: what started it, past the shell that hosts use to run a command.
enum AgentProcess {
  private static let shells: Set<String> = ["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"]

  /// The agent's process id; `nil` if it has ended or cannot be seen.
  static func find() -> Int32? {
    var pid = getppid()
    while pid > 1 {
      guard let (name, parent) = status(of: pid) else { return nil }
      if !shells.contains(name) { return pid }
      pid = parent
    }
    return nil
  }

  /// A process' name and its parent: fields 2 and 4 of proc_pid_stat(5). The name may contain anything.
  private static func status(of pid: Int32) -> (name: String, parent: Int32)? {
    guard let bytes = try? InputFile(path: "/proc/\(pid)/stat").bytes(for: "a process") else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: close)...].split(separator: " ")
    guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
    return (String(text[text.index(after: open)..<close]), parent)
  }
}
