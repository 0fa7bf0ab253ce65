import Foundation
import Router

/// A disk with little room under a daemon's database, which a test fills and empties.
enum SmallDisk: Sendable {
  /// A filesystem of its own, and the file that fills it.
  case mounted(String)
  /// This machine's disk, of which the database gets no more than so much.
  case counted(FaultyDisk, String)

  enum Kind: Sendable, CaseIterable {
    case mounted, counted

    /// Only root can mount a filesystem; the other kind is to be had by everybody.
    static let possible: [Kind] = geteuid() == 0 ? allCases : [.counted]
  }

  /// Runs a body with a disk, and takes it away again.
  static func run(_ kind: Kind, _ body: (SmallDisk) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    switch kind {
    case .counted: try await body(.counted(try FaultyDisk(in: directory.path), directory.path))
    case .mounted:
      let mount = try ChildProcess("/bin/mount", ["-t", "tmpfs", "-o", "size=2m", "routerd-test", directory.path])
      guard await mount.exitStatus() == 0 else { throw RouterError(.database, "cannot mount a filesystem") }
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(.mounted(directory.path)))
      } catch {
        result = .failure(error)
      }
      let status = await (try ChildProcess("/bin/umount", ["-l", directory.path])).exitStatus()
      guard status == 0 else { throw RouterError(.database, "cannot unmount \(directory.path)") }
      try result.get()
    }
  }

  var database: String {
    switch self {
    case .mounted(let path), .counted(_, let path): path + "/log.db"
    }
  }

  var environment: [String: String] {
    get throws {
      switch self {
      case .mounted: [:]
      case .counted(let disk, _): try disk.environment
      }
    }
  }

  /// Takes up all the room there is.
  func fill() throws {
    switch self {
    case .counted(let disk, _): disk.set(FaultyDisk.Faults(space: 0))
    case .mounted(let path):
      let descriptor = Glibc.open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
      defer { close(descriptor) }
      let zeros = [UInt8](repeating: 0, count: 4096)
      while write(descriptor, zeros, zeros.count) > 0 {}
      guard errno == ENOSPC else { throw RouterError(.database, "cannot fill \(path)") }
    }
  }

  /// Gives the room back.
  func empty() throws {
    switch self {
    case .counted(let disk, _): disk.set(FaultyDisk.Faults())
    case .mounted(let path): try FileManager.default.removeItem(atPath: path + "/filler")
    }
  }
}
