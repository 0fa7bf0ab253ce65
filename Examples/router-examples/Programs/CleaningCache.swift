import ArgumentParser
import Router

/// `router-examples clean`: the README's program, which asks on its own terminal.
struct CleaningCache: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "clean", abstract: "Confirm that the cache is deleted.")

  struct Cleaner {
    @Environment(\.showAlert) private var showAlert

    func confirm() async throws -> Bool {
      try await showAlert(
        AlertState("Delete the cache?") {
          ButtonState("Delete", role: .destructive, action: true)
          ButtonState("Keep", role: .cancel, action: false)
        })
    }
  }

  func run() async throws {
    let broker = try await PresentationCoordinator(log: .inMemory(), presenter: .terminal)
    let isConfirmed = try await withEnvironment(\.presentationBroker, broker) { try await Cleaner().confirm() }
    print(isConfirmed ? "deleted" : "kept")
  }
}
