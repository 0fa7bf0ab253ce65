import FoundationEssentials
import Glibc
import Router

/// Programs that ran the hook with events in an unknown dialect, such as an editor that reads Claude Code's settings.
///
/// Each leaves an empty file, which `routerctl agent doctor` reads to name the program.
enum UnknownHost {
  private static let prefix = "unknown-host."
  /// The time after a program's last event for which it is named.
  private static let memory = Duration.seconds(30 * 86_400)

  /// Records the program that called this process.
  static func note() {
    let process = AgentProcess.find().map { ProcessIdentity(uid: getuid(), gid: getgid(), lookingUp: $0) }
    let name = process?.executable?.fileName ?? "unknown"
    let plain = name.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
    }
    let file = AgentFiles.directory + "/" + prefix + String(String.UnicodeScalarView(plain.prefix(64)))
    let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
  }

  /// The programs that ran the hook recently, by name.
  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: AgentFiles.directory)) ?? []
    return files.filter { $0.hasPrefix(prefix) && isRecent($0) }.map { String($0.dropFirst(prefix.count)) }.sorted()
  }

  private static func isRecent(_ file: String) -> Bool {
    var status = stat()
    guard stat(AgentFiles.directory + "/" + file, &status) == 0 else { return false }
    return time(nil) - status.st_mtim.tv_sec < memory.components.seconds
  }
}
