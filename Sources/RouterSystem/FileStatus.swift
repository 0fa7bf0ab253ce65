import CLinux
import Glibc
package import RouterCore

/// A file's device and inode, which identify it on this machine, with its mode, owners, size and last change (statx(2)).
package struct FileStatus: Sendable, Hashable {
  package let device: UInt64
  package let inode: UInt64
  package let mode: UInt16
  package let uid: UInt32
  package let gid: UInt32
  /// In bytes.
  package let size: UInt64
  /// The last change of content or attributes.
  package let changedAt: Timestamp

  /// Reads the status of the file at a path, also through a link of `/proc`; `nil` if that fails. Uses the attributes cached by
  /// the kernel, without waiting for a file server.
  package init?(of path: String) {
    self.init(AT_FDCWD, path, 0)
  }

  /// Reads the status of the file at a path if the kernel has cached every part of the path, as for a file in use; otherwise
  /// `nil`. A path that another user chose could lead to a file system that does not reply.
  package init?(cachedAt path: [UInt8]) {
    var how = clinux_open_how(flags: UInt64(Self.pathOnly | O_CLOEXEC), mode: 0, resolve: Self.cachedOnly)
    let path = path.map { CChar(bitPattern: $0) } + [0]
    var descriptor = -1
    // The kernel also fails if a concurrent rename or mount interferes.
    for _ in 0..<8 {
      descriptor = clinux_openat2(Self.openat2, AT_FDCWD, path, &how, UInt(MemoryLayout<clinux_open_how>.size))
      if descriptor >= 0 || errno != EAGAIN { break }
    }
    // Before Linux 5.12, the kernel cannot restrict a lookup to its cache.
    guard descriptor >= 0 else {
      guard errno == ENOSYS || errno == EINVAL else { return nil }
      self.init(AT_FDCWD, path, 0)
      return
    }
    defer { close(CInt(descriptor)) }
    self.init(CInt(descriptor), "", Self.emptyPath)
  }

  /// Reads the status of an open file.
  package init?(descriptor: CInt) { self.init(descriptor, "", Self.emptyPath) }

  /// Reads the status of the file at a path from an open directory.
  package init?(at directory: CInt, _ path: String) { self.init(directory, path, 0) }

  private init?(_ directory: CInt, _ path: UnsafePointer<CChar>, _ flags: CInt) {
    var file = clinux_file()
    guard clinux_statx(directory, path, flags | Self.withoutWaiting, Self.basic, &file) == 0 else { return nil }
    (device, inode) = (UInt64(file.device_major) << 32 | UInt64(file.device_minor), file.inode)
    (mode, uid, gid, size) = (file.mode, file.user, file.group, file.size)
    changedAt = Timestamp(milliseconds: file.changed_seconds * 1000 + Int64(file.changed_nanoseconds) / 1_000_000)
  }

  package var isRegular: Bool { mode & UInt16(S_IFMT) == UInt16(S_IFREG) }
  package var isDirectory: Bool { mode & UInt16(S_IFMT) == UInt16(S_IFDIR) }

  /// Whether both are the same file.
  package func isSameFile(as other: FileStatus?) -> Bool { device == other?.device && inode == other?.inode }

  // Constants of <fcntl.h>, <linux/openat2.h> and <linux/stat.h> that are missing from the Glibc module.
  private static let openat2 = 437
  private static let pathOnly: CInt = 0x20_0000
  private static let cachedOnly: UInt64 = 0x20
  private static let emptyPath: CInt = 0x1000
  /// `AT_STATX_DONT_SYNC` and `AT_NO_AUTOMOUNT`.
  private static let withoutWaiting: CInt = 0x4800
  private static let basic: UInt32 = 0x7FF
}
