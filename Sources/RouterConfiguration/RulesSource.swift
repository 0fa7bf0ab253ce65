import Glibc
package import Router

/// The file of a daemon's rules, writable only for root and the daemon's user.
package struct RulesSource: Sendable, Hashable {
  package let path: String
  /// Whether a missing file means no rules.
  package let mayBeMissing: Bool

  package init(path: String, mayBeMissing: Bool) { (self.path, self.mayBeMissing) = (path, mayBeMissing) }

  package struct Content: Sendable {
    /// The text; empty if the file is missing.
    package let text: String
    /// The owners of the file and of its directory.
    package let owners: Set<UInt32>
    /// Why a missing file is an error; `nil` if it is allowed.
    package let problem: RouterError?

    package init(text: String, owners: Set<UInt32>, problem: RouterError? = nil) {
      (self.text, self.owners, self.problem) = (text, owners, problem)
    }
  }

  /// Reads the file after checking the owner and permissions of the file and its directory.
  ///
  /// - Throws: ``RouterError`` that names the file and the fix.
  package func read(uid: UInt32 = geteuid()) throws(RouterError) -> Content {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let parent = path.utf8.contains(UInt8(ascii: "/")) ? String(path[..<end]) + "/" : "."
    let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      if mayBeMissing, errno == ENOENT { return Content(text: "", owners: [uid]) }
      throw failure("its directory: \(String(cString: strerror(errno)))")
    }
    defer { close(directory) }
    // Opened relative to the checked directory, without waiting for a FIFO.
    let name = String(path[end...].unicodeScalars.drop { $0 == "/" })
    let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if mayBeMissing, errno == ENOENT { return missing(from: directory, uid) }
      throw failure(errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno)))
    }
    defer { close(file) }
    let owners: Set = [try check(directory, "its directory", uid), try check(file, "it", uid)]
    guard let bytes = Descriptors.readAll(file, limit: RuleSet.maximumBytes) else {
      throw failure(String(cString: strerror(errno)))
    }
    guard bytes.count <= RuleSet.maximumBytes else { throw failure("it has more than \(RuleSet.maximumBytes) bytes") }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("it is not UTF-8") }
    return Content(text: text, owners: owners)
  }

  /// Returns the content for a missing file, which any user with write access to the directory may have removed.
  private func missing(from directory: CInt, _ uid: UInt32) -> Content {
    do throws(RouterError) {
      return Content(text: "", owners: [try check(directory, "its directory", uid)])
    } catch {
      return Content(text: "", owners: [uid], problem: error)
    }
  }

  /// Checks an open file or directory, and returns its owner.
  private func check(_ descriptor: CInt, _ what: String, _ uid: UInt32) throws(RouterError) -> UInt32 {
    guard let status = FileStatus(of: "/proc/self/fd/\(descriptor)") else { throw failure(String(cString: strerror(errno))) }
    let kind = UInt32(status.mode) & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR && what != "it" else { throw failure("\(what) is not a regular file") }
    guard status.uid == 0 || status.uid == uid else {
      throw failure("\(what) belongs to uid \(status.uid); it must belong to root or to uid \(uid)")
    }
    guard status.mode & 0o022 == 0 else { throw failure("\(what) can be written by others (chmod go-w)") }
    return status.uid
  }

  private func failure(_ reason: String) -> RouterError {
    RouterError(.invalid, "cannot use the rules \(path): \(reason)")
  }
}
