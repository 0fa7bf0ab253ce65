import Foundation
import Router
import TestSupport

/// A name service that does not reply until the test says so, for a daemon with its ``environment``.
final class SlowNames: Sendable {
  private let directory: TemporaryDirectory
  private let library: String

  init() throws {
    directory = try TemporaryDirectory()
    library = try Self.library.get()
  }

  var environment: [String: String] {
    [
      "LD_PRELOAD": library, "ROUTER_SLOW_NAMES_GATE": directory.file("gate"), "ROUTER_SLOW_NAMES_LOG": directory.file("log"),
    ]
  }

  /// Makes lookups wait from now on, until the returned object releases them.
  func stop() throws -> Stop { try Stop(directory.file("gate")) }

  /// Lookups that wait.
  final class Stop: Sendable {
    private let descriptor: CInt

    fileprivate init(_ gate: String) throws {
      guard mkfifo(gate, 0o666) == 0, chmod(gate, 0o666) == 0 else { throw RouterError(.database, "cannot make \(gate)") }
      descriptor = open(gate, O_RDWR | O_CLOEXEC)
    }

    /// Lets all lookups pass, also later ones.
    func release() { write(descriptor, "x", 1) }

    deinit { close(descriptor) }
  }

  /// The functions that waited or are waiting, and those that gave up.
  var lookups: [String] {
    let text = (try? String(contentsOfFile: directory.file("log"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The library, compiled once per test run.
  private static let library = Result {
    try CompiledC.compile("Tests/EndToEndTests/Hostile/SlowNames.c", to: "SlowNames.so", ["-shared", "-fPIC", "-ldl"])
  }
}
