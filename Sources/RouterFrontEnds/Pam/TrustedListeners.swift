import Glibc
import Router

/// Determines the users whose daemon is trusted at a socket: root, and the system user who owns the socket's folder.
///
/// No other user may be able to replace the socket. So each folder of the path must belong to one of these users and be
/// writable only by its owner. A folder above the socket's may be world-writable if it is sticky, like `/tmp`: other users can
/// neither rename nor remove these users' files.
struct TrustedListeners {
  struct Distrust: Error, Hashable {
    var reason: String
  }

  /// The largest id of a system user (`SYS_UID_MAX` of login.defs(5)).
  private static let largestSystemUser: UInt32 = 999

  /// The users that the daemon may run as.
  let users: Set<UInt32>

  /// - Parameters:
  ///   - path: The socket.
  ///   - parties: The users who request or benefit, and so are not trusted.
  init(at path: String, parties: Set<UInt32>) throws(Distrust) {
    guard path.begins(with: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      throw Distrust(reason: "cannot trust \(path): it is not an absolute path")
    }
    let folder = String(path[...slash])
    var status = stat()
    guard stat(folder, &status) == 0 else { throw Self.unreadable(folder) }
    let owner = status.st_uid
    guard owner <= Self.largestSystemUser, owner == 0 || !parties.contains(owner) else {
      throw Distrust(
        reason: "cannot trust \(folder): it belongs to uid \(owner), not to root or a system user who is not asking")
    }
    users = [0, owner]
    try check(folder)
    // A link could lead out of the folder. A missing socket is reported as a missing daemon.
    guard lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
      throw Distrust(reason: "cannot trust \(path): it is not a socket")
    }
  }

  /// Checks this folder and its parents, including those reached through links.
  private func check(_ folder: String) throws(Distrust) {
    var rest = Self.names(folder)
    var (path, links) = ("/", 0)
    var isOpen = try self.isOpen(try Self.status(path), path)
    while let name = rest.popLast() {
      let entry = Self.entry(name, in: path)
      let status = try Self.status(entry)
      guard name == ".." || !isOpen || users.contains(status.st_uid) else { throw Self.replaceable(entry) }
      if status.st_mode & S_IFMT == S_IFLNK {
        links += 1
        guard links <= 40, let link = SymbolicLink.target(of: entry) else { throw Self.unreadable(entry) }
        let target = String(decoding: link, as: UTF8.self)
        rest += Self.names(target)
        if target.begins(with: "/") { path = "/" }
        isOpen = try self.isOpen(try Self.status(path), path)
      } else {
        isOpen = try self.isOpen(status, entry)
        path = entry
      }
    }
    guard !isOpen else { throw Self.replaceable(path) }
  }

  /// Returns whether other users may create files in a folder, but neither rename nor remove these users' files.
  private func isOpen(_ status: stat, _ path: String) throws(Distrust) -> Bool {
    guard status.st_mode & S_IFMT == S_IFDIR, users.contains(status.st_uid) else { throw Self.replaceable(path) }
    guard status.st_mode & 0o022 != 0 else { return false }
    guard status.st_mode & S_ISVTX != 0 else { throw Self.replaceable(path) }
    return true
  }

  /// The components of a path, last one first.
  private static func names(_ path: String) -> [String] {
    path.split(at: "/").filter { $0 != "." }.map(String.init).reversed()
  }

  private static func entry(_ name: String, in folder: String) -> String {
    guard name == ".." else { return folder == "/" ? "/" + name : folder + "/" + name }
    let parent = folder[..<(folder.utf8.lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex)]
    return parent.isEmpty ? "/" : String(parent)
  }

  private static func status(_ path: String) throws(Distrust) -> stat {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw unreadable(path) }
    return status
  }

  private static func unreadable(_ path: String) -> Distrust {
    Distrust(reason: "cannot trust \(path): \(String(cString: strerror(errno)))")
  }

  private static func replaceable(_ path: String) -> Distrust {
    Distrust(reason: "cannot trust \(path): a user other than root and the socket folder's owner may replace it")
  }
}
