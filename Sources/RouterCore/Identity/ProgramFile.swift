/// The file of a program, as the daemon found it when a request arrived. A replaced or changed file has another inode, size or time
/// of change, which no program can set (`st_ctime`).
package struct ProgramFile: Sendable, Hashable {
  package let path: String
  /// In decimal: an inode may exceed a JSON number.
  package let inode: String
  /// In bytes.
  package let size: Int
  package let changedAt: Timestamp

  package init(path: String, inode: UInt64, size: Int, changedAt: Timestamp) {
    (self.path, self.inode, self.size, self.changedAt) = (path, String(inode), size, changedAt)
  }
}

extension ProgramFile: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    path = try f("path", \.path)
    inode = try f("inode", \.inode, "In decimal.")
    size = try f("size", \.size)
    changedAt = try f("changedAt", \.changedAt, "The last change of its content or attributes.")
  }
}
