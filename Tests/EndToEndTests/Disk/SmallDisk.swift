import Foundation
import Router
import TestSupport

/// A small disk under a daemon's database that a test fills and empties.
enum SmallDisk: Sendable {
  /// A dedicated filesystem at this path.
  case mounted(String)
  /// This machine's disk, with a limit on the database's growth.
  case counted(FaultyDisk, String)

  enum Kind: Sendable, CaseIterable {
    case mounted, counted

    /// Only root can mount a filesystem; the other kind always works.
    static let possible: [Kind] = geteuid() == 0 ? allCases : [.counted]
  }

  /// Runs a body with a disk, and removes the disk afterwards.
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

  /// Fills the disk.
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

  /// Frees the space again.
  func empty() throws {
    switch self {
    case .counted(let disk, _): disk.set(FaultyDisk.Faults())
    case .mounted(let path): try FileManager.default.removeItem(atPath: path + "/filler")
    }
  }
}
