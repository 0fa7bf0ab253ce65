import RouterCore

/// Fields of `/proc/PID/status` (proc_pid_status(5)).
package struct ProcessStatus: Sendable {
  /// The kernel's name of the process.
  package let name: String
  package let parent: Int32
  package let realUID: UInt32
  /// The effective user id.
  let uid: UInt32
  /// The process's ids in nested PID namespaces, from the outermost to its own.
  let pids: [Int32]

  package init?(_ pid: Int32) {
    guard pid > 0, let text = Proc.bytes(pid, "status") else { return nil }
    self.init(String(decoding: text, as: UTF8.self))
  }

  init?(_ text: String) {
    func field(_ name: String) -> String? {
      text.split(at: "\n").lazy.compactMap { $0.rest(after: name + ":") }.first?.trimmingWhiteSpace
    }
    func numbers(_ name: String) -> [Int64] {
      (field(name) ?? "").split { $0 == "\t" || $0 == " " }.compactMap { Int64($0) }
    }
    let ids = numbers("Uid").compactMap(UInt32.init(exactly:))
    guard ids.count > 1, let parent = numbers("PPid").first.flatMap(Int32.init(exactly:)) else { return nil }
    name = field("Name") ?? ""
    self.parent = parent
    (realUID, uid) = (ids[0], ids[1])
    pids = numbers("NSpid").compactMap(Int32.init(exactly:))
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
