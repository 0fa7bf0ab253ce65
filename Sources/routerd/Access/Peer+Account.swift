import Glibc
import Router

extension Peer {
  /// Creates a peer, without a process, for a user given by name or number. Its groups are those of a login.
  ///
  /// A number that is not in the user database has no groups.
  init(account: String) throws {
    let uid = try AccountNames.user(account)
    guard let entry = try? AccountNames.entry(of: uid) else {
      self.init(process: ProcessIdentity(uid: uid, gid: .max, pid: 0))
      return
    }
    var groups = [gid_t](repeating: 0, count: 64)
    var count = CInt(groups.count)
    while getgrouplist(entry.name, entry.gid, &groups, &count) < 0, groups.count < 1 << 16 {
      groups = [gid_t](repeating: 0, count: max(Int(count), groups.count * 2))
      count = CInt(groups.count)
    }
    self.init(
      process: ProcessIdentity(uid: uid, gid: entry.gid, pid: 0), supplementaryGroups: groups.prefix(Int(max(0, count))))
  }
}
