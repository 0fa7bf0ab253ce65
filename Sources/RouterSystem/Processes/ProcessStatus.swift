import RouterCore

/// Fields of `/proc/PID/status` (proc_pid_status(5)).
package struct ProcessStatus: Sendable {
  /// The kernel's name of the process.
  package let name: String
  package let parent: Int32
  package let realUID: UInt32
  /// The effective user id.
  package let uid: UInt32
  /// The process's ids in nested PID namespaces, from the outermost to its own.
  let pids: [Int32]

  package init?(_ pid: Int32) {
    guard pid > 0, let text = Proc.bytes(pid, "status") else { return nil }
    self.init(text)
  }

  init?(_ text: [UInt8]) {
    var (name, parents, uids, pids) = ("", [Int32](), [UInt32](), [Int32]())
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      func numbers<Number: FixedWidthInteger>() -> [Number] {
        parts[1].split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
          .compactMap { Number(String(decoding: $0, as: UTF8.self)) }
      }
      switch String(decoding: parts[0], as: UTF8.self) {
      case "Name": name = String(decoding: parts[1], as: UTF8.self).trimmingWhiteSpace
      case "PPid": parents = numbers()
      case "Uid": uids = numbers()
      case "NSpid": pids = numbers()
      default: continue
      }
    }
    guard uids.count > 1, let parent = parents.first else { return nil }
    (self.name, self.parent, realUID, uid, self.pids) = (name, parent, uids[0], uids[1], pids)
  }
}

extension ProcessIdentity {
  /// Translates the pid of this process or an ancestor from this process's PID namespace, such as a container's, to the current
  /// process's namespace. Returns `Int32.max`, which no process has, for another pid in a nested namespace.
  package func ancestor(knownAs pid: Int32) -> Int32 {
    guard let depth = ProcessStatus(self.pid)?.pids.count, depth > 1 else { return pid }
    // Namespaces nest along an ancestry, so an ancestor at the same depth is in the same namespace.
    let found = ancestry?.first { ancestor in
      guard let pids = ProcessStatus(ancestor.pid)?.pids else { return false }
      return pids.count == depth && pids.last == pid
    }
    return found?.pid ?? .max
  }
}

extension [ProcessIdentity.Ancestor] {
  /// Removes user ids that equal `uid`.
  func hiding(uid: UInt32) -> [ProcessIdentity.Ancestor] {
    map { ancestor in
      var ancestor = ancestor
      if ancestor.uid == uid { ancestor.uid = nil }
      return ancestor
    }
  }
}
