import Glibc
import Router

/// A file that stays open from before the question until the program has started, with the digest that is shown.
struct CheckedFile: Sendable {
  /// As the program will open it, from the working directory.
  let name: String
  let descriptor: CInt
  /// Its real path, and the digest and size of its content.
  private(set) var shown: Act.File
  /// The beginning of the content.
  let head: [UInt8]
  private let status: FileStatus
  private var isLeased = false

  var path: String { shown.path }

  /// Opens a file and reads it.
  ///
  /// - Throws: ``SystemFailure`` if it cannot be opened or read, with `EACCES` if it is not a regular file, and `EFBIG` if it
  ///   has more than `limit` bytes.
  init(_ name: String, limit: Int = .max) throws(SystemFailure) {
    guard let real = realpath(name, nil) else { throw SystemFailure() }
    defer { free(real) }
    // Does not wait for the other end, if it is a pipe.
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

  /// Notes that the command opens the file again, by its name, if this user can put another one there.
  mutating func noteReopening() { shown.isReopened = name != path || !FileOwnership.isFixed(path) }

  /// Checks that the name still leads to the file that was shown, with the same content, and that nobody writes to it. Keeps
  /// writers waiting until ``release()``, if the file is this user's. Returns the content.
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

  /// Checks that no writer waits.
  func checkLease() throws(RunFailure) {
    if isLeased, !FileLease.isHeld(descriptor) { throw changed("is being written") }
  }

  func release() {
    if isLeased { FileLease.release(descriptor) }
  }

  private func changed(_ what: String) -> RunFailure { RunFailure(.changed, "\(path) \(what) since it was shown") }
}
