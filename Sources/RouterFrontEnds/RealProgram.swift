import Glibc
import Router

/// Finds and runs the program that a front end replaces, as a fallback.
package enum RealProgram {
  /// Set for the fallback, to prevent an endless loop if a script of the same name starts routerctl again.
  private static let marker = "ROUTER_FALLBACK"

  /// The absolute path of this program, to install.
  package static let own = ProcessIdentity.currentProgram.executable ?? "routerctl"

  /// Replaces this process with the program at a path, or with the first of this name in `PATH` other than routerctl itself.
  /// Passes the arguments' original bytes. Returns only if there is no such program.
  static func execute(_ name: String, _ arguments: [String]) {
    guard environmentVariable(marker) != name, let path = path(of: name) else { return }
    setenv(marker, name, 1)
    replace(with: path, arguments)
  }

  /// Replaces this process with a program. Passes the arguments' original bytes. Returns only if that fails.
  static func replace(with path: String, _ arguments: [String]) {
    var vector =
      ([path] + arguments).map { argument in
        (argument.keptBytes + [0]).withUnsafeBytes { strdup($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
      } + [nil]
    defer { for pointer in vector { free(pointer) } }
    execv(path, &vector)
  }

  /// Returns the path of the first program of this name in `PATH` other than this executable under another name.
  package static func path(of name: String) -> String? {
    let search = environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    let own = file("/proc/self/exe")
    let candidates = name.contains("/") ? [name] : search.split(at: ":").map { $0 + "/" + name }
    return candidates.first { candidate in
      guard let file = file(candidate), access(candidate, X_OK) == 0 else { return false }
      return file.st_mode & S_IFMT == S_IFREG && (file.st_dev, file.st_ino) != (own?.st_dev ?? 0, own?.st_ino ?? 0)
    }
  }

  /// Returns the identity of the file at a path, with symbolic links resolved.
  private static func file(_ path: String) -> stat? {
    var file = stat()
    return stat(path, &file) == 0 ? file : nil
  }
}
