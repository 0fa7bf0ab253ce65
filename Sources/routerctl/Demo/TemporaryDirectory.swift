import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// A new directory, private to this user, under `$TMPDIR` or `/tmp`.
struct TemporaryDirectory {
  let path: String

  init(prefix: String) throws {
    var template = Array("\(environmentVariable("TMPDIR") ?? "/tmp")/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(.defect, "cannot create a temporary directory: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
