import Glibc

/// The program that a front end stands in for, as a fallback.
enum RealProgram {
  /// Set for the fallback, so that a script of the same name that starts routerctl again does not do so for ever.
  private static let marker = "ROUTER_FALLBACK"

  /// Replaces this process with the program of this name in `PATH` that is not routerctl itself, or with the one at a path.
  /// Returns only if there is none.
  static func execute(_ name: String, _ arguments: [String]) {
    guard getenv(marker).map({ String(cString: $0) }) != name, let path = path(of: name) else { return }
    setenv(marker, name, 1)
    var vector = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in vector { free(pointer) } }
    execv(path, &vector)
  }

  /// The path of the program of this name in `PATH` that is not this one's file, under whatever name.
  static func path(of name: String) -> String? {
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let own = file("/proc/self/exe")
    let candidates = name.contains("/") ? [name] : search.split(separator: ":").map { $0 + "/" + name }
    return candidates.first { candidate in
      guard let file = file(candidate), access(candidate, X_OK) == 0 else { return false }
      return file.st_mode & S_IFMT == S_IFREG && (file.st_dev, file.st_ino) != (own?.st_dev ?? 0, own?.st_ino ?? 0)
    }
  }

  /// The file at a path, behind symbolic links.
  private static func file(_ path: String) -> stat? {
    var file = stat()
    return stat(path, &file) == 0 ? file : nil
  }
}
