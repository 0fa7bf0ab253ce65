import Glibc
import RouterCore

/// Resolves users and groups through the user database (getpwnam_r(3), getgrnam_r(3)).
package enum AccountNames {
  /// Returns the uid of a user given by name or number.
  ///
  /// - Throws: ``RouterError`` if the name is unknown or the database cannot be read.
  package static func user(_ text: String) throws -> UInt32 { try UInt32(text) ?? user(named: text) }

  package static func user(named name: String) throws -> UInt32 {
    var entry = passwd()
    return try lookUp("user", name) {
      getpwnam_r(name, &entry, $0, $1, &$2)
    } found: {
      entry.pw_uid
    }
  }

  /// Returns the gid of a group given by name or number.
  package static func group(_ text: String) throws -> UInt32 {
    if let number = UInt32(text) { return number }
    var entry = Glibc.group()
    return try lookUp("group", text) {
      getgrnam_r(text, &entry, $0, $1, &$2)
    } found: {
      entry.gr_gid
    }
  }

  /// A user's entry in the user database.
  package struct Entry: Sendable {
    package let name: String
    /// The primary group.
    package let gid: UInt32
    package let home: String
    package let shell: String

    package init(name: String, gid: UInt32, home: String, shell: String) {
      (self.name, self.gid, self.home, self.shell) = (name, gid, home, shell)
    }
  }

  package static func entry(of uid: UInt32) throws -> Entry {
    var entry = passwd()
    return try lookUp("user", String(uid)) {
      getpwuid_r(uid, &entry, $0, $1, &$2)
    } found: {
      Entry(
        name: String(cString: entry.pw_name), gid: entry.pw_gid, home: String(cString: entry.pw_dir),
        shell: String(cString: entry.pw_shell))
    }
  }

  /// Returns the users who are members of a group, except those with the group as their primary group. Omits unknown names.
  package static func members(ofGroup gid: UInt32) throws -> [UInt32] {
    var entry = Glibc.group()
    let names: [String] = try lookUp("group", String(gid)) {
      getgrgid_r(gid, &entry, $0, $1, &$2)
    } found: {
      var (names, next) = ([String](), entry.gr_mem)
      while let name = next?.pointee {
        names.append(String(cString: name))
        next = next?.advanced(by: 1)
      }
      return names
    }
    return names.compactMap { try? user(named: $0) }
  }

  /// Calls a lookup function, and grows the buffer until the entry fits.
  private static func lookUp<Entry, Value>(
    _ kind: String, _ name: String,
    _ call: (UnsafeMutablePointer<CChar>, Int, inout UnsafeMutablePointer<Entry>?) -> CInt, found: () -> Value
  ) throws -> Value {
    var size = 1024
    while true {
      var result: UnsafeMutablePointer<Entry>?
      // The entry points into the buffer.
      let (code, value) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
        let code = call(buffer.baseAddress!, size, &result)
        return (code, result == nil ? nil : found())
      }
      if code == ERANGE, size < 1 << 24 {
        size *= 4
        continue
      }
      guard code == 0 else {
        throw RouterError(.invalid, "cannot look up the \(kind) \(name): \(String(cString: strerror(code)))")
      }
      guard let value else { throw RouterError(.invalid, "there is no \(kind) \(name)") }
      return value
    }
  }
}
