import FoundationEssentials
import Glibc
import Router

/// The hook process that waits for a prompt.
///
/// Only the process that asked may withdraw an agent's prompt. A later hook is another process of the agent, so it tells the
/// waiting one to withdraw its prompt and end.
enum WaitingHook {
  static func end(for presentation: Presentation) {
    guard let started = presentation.requester.process.ancestry?.first?.started else { return }
    // In a container, routerd may know the process by another pid.
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for pid in all.compactMap({ Int32($0) }) where pid != getpid() && isWaiting(pid, since: started) { kill(pid, SIGTERM) }
  }

  /// Whether a process runs this program as this user, and started at a time in clock ticks since boot.
  private static func isWaiting(_ pid: Int32, since started: Int) -> Bool {
    var status = stat()
    guard stat("/proc/\(pid)", &status) == 0, status.st_uid == geteuid() else { return false }
    let process = ProcessIdentity(uid: getuid(), gid: getgid(), lookingUp: pid)
    return process.executable == ProcessIdentity.current.executable && process.ancestry?.first?.started == started
  }
}
