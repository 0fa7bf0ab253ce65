import Foundation
import Router

/// Controls `FaultyDisk.c` in a daemon, which makes the disk under its database fail on command.
final class FaultyDisk: Sendable {
  /// The calls that fail from now on, each with its errno(3).
  struct Faults: Sendable, Hashable {
    var read: Int32 = 0
    var write: Int32 = 0
    var sync: Int32 = 0
    var truncate: Int32 = 0
    /// How many bytes files may still grow by; `nil` for no limit.
    var space: Int64?
  }

  private let path: String
  private let control: Mutex<UnsafeMutableRawPointer>
  /// A pipe, into which the library writes for each flush that begins to wait.
  private let holding: CInt

  private static let size = 40

  /// - Parameter directory: The directory for the file shared with the daemon.
  init(in directory: String) throws {
    path = directory + "/faults"
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(Self.size)) == 0,
      let shared = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), shared != MAP_FAILED
    else { throw RouterError(.database, "cannot make \(path): \(String(cString: strerror(errno)))") }
    close(descriptor)
    guard mkfifo(path + ".held", 0o600) == 0 else { throw RouterError(.database, "cannot make \(path).held") }
    holding = open(path + ".held", O_RDWR | O_CLOEXEC)
    control = Mutex(shared)
    set(Faults())
  }

  deinit {
    close(holding)
    munmap(control.withLock { $0 }, Self.size)
  }

  /// The environment for a daemon on this disk.
  var environment: [String: String] {
    get throws { ["LD_PRELOAD": try Self.library.get(), "ROUTER_FAULTY_DISK": path] }
  }

  func set(_ faults: Faults) {
    control.withLock { control in
      for (index, error) in [faults.read, faults.write, faults.sync, faults.truncate].enumerated() {
        control.storeBytes(of: error, toByteOffset: 4 * index, as: Int32.self)
      }
      control.storeBytes(of: faults.space ?? -1, toByteOffset: 16, as: Int64.self)
    }
  }

  /// Blocks each flush from now on, or releases them.
  func hold(_ isHeld: Bool) {
    control.withLock { $0.storeBytes(of: isHeld ? 1 : 0, toByteOffset: 32, as: Int32.self) }
  }

  /// Waits until a flush begins to wait.
  func held() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [holding] in
        var byte: UInt8 = 0
        read(holding, &byte, 1)
        continuation.resume()
      }
    }
  }

  /// Whether a flush is waiting.
  var isHolding: Bool {
    control.withLock { $0.load(fromByteOffset: 36, as: Int32.self) } > 0
  }

  /// The number of failed calls so far.
  var failures: Int64 {
    control.withLock { $0.load(fromByteOffset: 24, as: Int64.self) }
  }

  /// The library, compiled once per test run.
  private static let library = Result {
    try CompiledC.compile("Tests/EndToEndTests/Disk/FaultyDisk.c", to: "FaultyDisk.so", ["-shared", "-fPIC", "-ldl"])
  }
}
