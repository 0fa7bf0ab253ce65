import Glibc
import OrderedCollections
import Router

/// The hook process that waits for a prompt.
///
/// Only the requesting process may withdraw an agent's prompt. A later hook is a different process, so it tells the waiting one
/// to withdraw its prompt and exit.
enum WaitingHook {
  static func end(for presentation: Presentation) {
    // In a container, routerd knows the process by another pid, so the hook sends the pid in its own namespace. The time of its
    // start, in clock ticks since boot, does not distinguish hooks that start together.
    guard let pid = presentation.request.metadata[ToolCall.Label.hook].flatMap({ Int32($0) }), pid > 1, pid != getpid(),
      let started = presentation.requester.process.ancestry?.first?.started, isWaiting(pid, since: started)
    else { return }
    kill(pid, SIGTERM)
  }

  /// Whether a process runs this program as this user, with a start time in clock ticks since boot.
  private static func isWaiting(_ pid: Int32, since started: Int) -> Bool {
    var status = stat()
    guard stat("/proc/\(pid)", &status) == 0, status.st_uid == geteuid() else { return false }
    let process = ProcessIdentity(uid: getuid(), gid: getgid(), lookingUp: pid)
    return process.executable == ProcessIdentity.current.executable && process.ancestry?.first?.started == started
  }
}
