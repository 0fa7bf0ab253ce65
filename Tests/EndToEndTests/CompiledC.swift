import Foundation
import Router
import RouterSystem

/// Compiles C sources for tests.
enum CompiledC {
  /// Compiles a file into the directory of the test products.
  ///
  /// - Parameter source: The path relative to the package.
  static func compile(_ source: String, to name: String, _ options: [String] = []) throws -> String {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    let target = ChildProcess.products.appending(path: name).path
    // Another run may be compiling it too, so write to a temporary name and rename.
    let script = #"c=$(command -v cc clang | head -n 1); o=$1; s=$2; shift 2; "$c" -O2 -o "$o.$$" "$s" "$@" && mv "$o.$$" "$o""#
    let compiler = try RouterSystem.ChildProcess(
      "/bin/sh", ["-c", script, "sh", target, package.appending(path: source).path] + options,
      descriptors: (STDIN_FILENO, STDERR_FILENO, STDERR_FILENO))
    guard compiler.wait() == 0 else { throw RouterError(.database, "cannot compile \(source)") }
    return target
  }
}
