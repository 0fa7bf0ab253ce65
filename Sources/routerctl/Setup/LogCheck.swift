import Glibc
import Router
import RouterCommandLine
import RouterFrontEnds

/// Checks the audit log and its disk.
struct LogCheck {
  let database: String
  /// The time, read after the log.
  var now: @Sendable () -> Timestamp = PresentationClock.system.wall

  /// The maximum size of a log to verify during the check.
  static let maximumVerifiedBytes = 64 << 20
  /// The minimum of free space.
  static let minimumFreeBytes = 64 << 20

  func findings() async -> [Finding] {
    var status = stat()
    guard stat(database, &status) == 0 else {
      return errno == ENOENT
        ? [.fine("log: no events yet")] : [.fine("log: not checked; only its owner can read \(database)")]
    }
    let directory = database.split(at: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return [permissions(status, directory), disk(directory)].compactMap(\.self) + (await log(Int(status.st_size)))
      + [AnchorRecord(database: database).finding(at: now())]
  }

  private func permissions(_ status: stat, _ directory: String) -> Finding? {
    var above = stat()
    guard status.st_mode & 0o077 == 0 else {
      return .problem("permissions: others can open the log. Fix: chmod 600 \(database.shellQuoted)*")
    }
    guard stat(directory, &above) == 0, above.st_mode & 0o022 == 0 || above.st_mode & S_ISVTX != 0 else {
      return .problem("permissions: others can replace the log. Fix: chmod go-w \(directory.shellQuoted)")
    }
    return .fine("permissions: only its owner can access the log")
  }

  private func disk(_ directory: String) -> Finding? {
    var disk = statvfs()
    guard statvfs(directory, &disk) == 0 else { return nil }
    let free = Int(disk.f_bavail) * Int(disk.f_frsize)
    return free < Self.minimumFreeBytes
      ? .problem("disk: \(free >> 20) MB are free for the log. Fix: free space, or routerctl log prune")
      : .fine("disk: \(free >= 1 << 30 ? "\(free >> 30) GB" : "\(free >> 20) MB") are free for the log")
  }

  private func log(_ bytes: Int) async -> [Finding] {
    do {
      let reader = try AuditReader(path: database, executor: CallingThread.current)
      var query = AuditQuery()
      query.limit = 1
      var findings: [Finding] = []
      if let newest = try await reader.eventPage(query).page.first?.at {
        findings.append(clock(newest))
      }
      guard bytes <= Self.maximumVerifiedBytes else {
        return findings + [.fine("log: \(bytes >> 20) MB (routerctl log verify checks all of it)")]
      }
      let found = try await reader.verify(expecting: nil) { _ in }
      return findings + [
        found.faults.isEmpty
          ? .fine("log: \(String(counting: found.events, "event")), all intact")
          : .problem("log: modified or damaged. Fix: routerctl log verify lists the faults; restore a backup")
      ]
    } catch let error as RouterError where error.code == .forbidden {
      return [.fine("log: not checked; only its owner can read \(database)")]
    } catch {
      return [.problem("log: \(DaemonCheck.sentence(error)) Fix: restore a backup, or move \(database.shellQuoted) away")]
    }
  }

  private func clock(_ newest: Timestamp) -> Finding {
    newest > now()
      ? .problem("clock: the newest event is in the future (\(newest)). Fix: set the clock (timedatectl set-ntp true)")
      : .fine("clock: later than the newest event")
  }
}
