import ArgumentParser
import Router

struct LogBackup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the log to a file, even while the daemon writes to it.",
    discussion: """
      Writes a consistent snapshot to one file (mode 0600), which appears only when it is complete. Read it with `routerctl log \
      --database`.

      EXAMPLES
        routerctl log backup /mnt/backup/router-$(date +%F).db
        routerctl log verify --database /mnt/backup/router-2026-11-21.db
      """)

  @Argument(help: "Path of the copy; the file must not exist.", completion: .file())
  var file: String

  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let progress = ProgressLine("copying")
    defer { progress.finish() }
    try await location.openDatabase(to: "copy the log").backUp(to: file) { progress.update($0) }
  }
}
