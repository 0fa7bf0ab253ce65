import Glibc
import Router

/// A file that stays open from before the question until the program has started, with the digest shown in the prompt.
struct CheckedFile: Sendable {
  /// The name relative to the working directory, as the program will open it.
  let name: String
  let descriptor: CInt
  /// The resolved path, and the digest and size of the content.
  private(set) var shown: Act.File
  /// The beginning of the content.
  let head: [UInt8]
  private let status: FileStatus
  private var isLeased = false

  var path: String { shown.path }

  /// Opens a file and reads it.
  ///
  /// - Throws: ``SystemFailure`` if the file cannot be opened or read: `EACCES` for anything but a regular file, `EFBIG` for
  ///   more than `limit` bytes.
  init(_ name: String, limit: Int = .max) throws(SystemFailure) {
    guard let real = realpath(name, nil) else { throw SystemFailure() }
    defer { free(real) }
    // Does not wait for a pipe's other end.
    let descriptor = open(real, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemFailure() }
    guard let status = FileStatus(descriptor: descriptor), status.isRegular else {
      throw SystemFailure(FileStatus(descriptor: descriptor)?.isDirectory == true ? EISDIR : EACCES)
    }
    (self.name, self.descriptor, self.status) = (name, descriptor, status)
    guard let content = Descriptors.readFile(descriptor, limit: limit) else { throw SystemFailure() }
    head = Array(content.prefix(256))
    shown = Act.File(
      path: String(cString: real), sha256: Cryptography.sha256(content).hexadecimal, bytes: content.count)
  }

  /// Marks the file as reopened by name if this user can replace it.
  mutating func noteReopening() { shown.isReopened = name != path || !FileOwnership.isFixed(path) }

  /// Checks that the name still refers to the shown file, with the same content, and that no process has it open for writing.
  /// Blocks writers until ``release()``, if the file belongs to this user. Returns the content.
  ///
  /// - Parameter directory: The working directory.
  mutating func check(in directory: CInt) throws(RunFailure) -> [UInt8] {
    switch FileLease.take(descriptor) {
    case .taken: isLeased = true
    case .busy: throw RunFailure(.changed, "\(path) is open for writing")
    case .unavailable: break
    }
    guard status.isSameFile(as: FileStatus(at: directory, name)), status.isSameFile(as: FileStatus(of: path)) else {
      throw changed("was replaced")
    }
    guard let content = Descriptors.readFile(descriptor), Cryptography.sha256(content).hexadecimal == shown.sha256
    else {
      throw changed("was changed")
    }
    return content
  }

  /// Checks that no writer is waiting.
  func checkLease() throws(RunFailure) {
    if isLeased, !FileLease.isHeld(descriptor) { throw changed("is being written") }
  }

  func release() {
    if isLeased { FileLease.release(descriptor) }
  }

  private func changed(_ what: String) -> RunFailure { RunFailure(.changed, "\(path) \(what) since it was shown") }
}
