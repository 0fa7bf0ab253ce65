import Glibc
import Router

/// Users and groups by name, from the user database (getpwnam_r(3), getgrnam_r(3)).
enum AccountNames {
  /// A user's number: the text is it, or its name.
  ///
  /// - Throws: ``RouterError`` for a name that nobody has, or a database that cannot be read.
  static func user(_ text: String) throws -> UInt32 {
    if let number = UInt32(text) { return number }
    var entry = passwd()
    return try lookUp("user", text) {
      getpwnam_r(text, &entry, $0, $1, &$2)
    } found: {
      entry.pw_uid
    }
  }

  /// A group's number: the text is it, or its name.
  static func group(_ text: String) throws -> UInt32 {
    if let number = UInt32(text) { return number }
    var entry = Glibc.group()
    return try lookUp("group", text) {
      getgrnam_r(text, &entry, $0, $1, &$2)
    } found: {
      entry.gr_gid
    }
  }

  /// Calls one of the functions with as much room as it wants.
  private static func lookUp<Entry>(
    _ kind: String, _ name: String,
    _ call: (UnsafeMutablePointer<CChar>, Int, inout UnsafeMutablePointer<Entry>?) -> CInt, found: () -> UInt32
  ) throws -> UInt32 {
    var size = 1024
    while true {
      var result: UnsafeMutablePointer<Entry>?
      // The entry's strings are in the buffer.
      let (code, number) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
        let code = call(buffer.baseAddress!, size, &result)
        return (code, result == nil ? nil : found())
      }
      if code == ERANGE, size < 1 << 24 {
        size *= 4
        continue
      }
      guard code == 0 else {
        throw RouterError(.invalid, "the \(kind) \(name) cannot be looked up: \(String(cString: strerror(code)))")
      }
      guard let number else { throw RouterError(.invalid, "there is no \(kind) \(name)") }
      return number
    }
  }
}
