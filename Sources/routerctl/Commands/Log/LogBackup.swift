import ArgumentParser
import Router

struct LogBackup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Make a consistent copy of the log, also while the daemon writes.",
    discussion: """
      The copy is of one moment, stands alone in one file (mode 0600) and is there only once it is whole. All of `routerctl \
      log` works on it with --database.

      EXAMPLES
        routerctl log backup /mnt/backup/router-$(date +%F).db
        routerctl log verify --database /mnt/backup/router-2026-11-21.db
      """)

  @Argument(help: "The copy's path, where nothing is yet.", completion: .file())
  var file: String

  @OptionGroup(title: "Where") var location: LogLocation

  func run() async throws {
    let progress = ProgressLine("copying")
    defer { progress.finish() }
    try await location.openDatabase(to: "copy the log").backUp(to: file) { progress.update($0) }
  }
}
