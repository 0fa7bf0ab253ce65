import RouterSystem

extension ProgramFile {
  /// Finds the program that an act's command names, as execvp(3) in the requester would: a path, or a name along its `PATH`.
  ///
  /// The requester can change its `PATH` and the files of its user. Another user's path is not followed to what the kernel has not
  /// cached, as it could lead to a file system that does not reply.
  init?(of act: Act, for requester: ProcessIdentity) {
    guard let name = act.arguments?.first, !name.isEmpty, let directory = act.directory else { return nil }
    let places =
      name.utf8.contains(UInt8(ascii: "/"))
      ? [""]
      : Self.searchPath(of: requester.pid)
        .split(at: ":", omittingEmptySubsequences: false).map(String.init)
    for place in places {
      let named = place.isEmpty ? name : place + "/" + name
      let path = named.begins(with: "/") ? named : directory + "/" + (named.rest(after: "./").map(String.init) ?? named)
      let isOwn = requester.uid == ProcessIdentity.currentProgram.uid
      guard let status = isOwn ? FileStatus(of: path) : FileStatus(cachedAt: Array(path.utf8)), status.isRegular,
        status.mode & 0o111 != 0
      else { continue }
      self.init(path: path, inode: status.inode, size: Int(status.size), changedAt: status.changedAt)
      return
    }
    return nil
  }

  private static func searchPath(of pid: Int32) -> String {
    let variables = Proc.bytes(pid, "environ", limit: 1 << 20) ?? []
    let path = variables.split(separator: 0).first { $0.starts(with: "PATH=".utf8) }
    return path.map { String(decoding: $0.dropFirst(5), as: UTF8.self) } ?? "/usr/bin:/bin"
  }
}
