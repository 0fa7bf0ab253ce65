import Router

/// The example in README.md, which `Examples/clean-cache` runs.
private func readMe() async {
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

  do {
    let broker = try await PresentationCoordinator(log: .inMemory(), presenter: .terminal)
    let isConfirmed = try await withEnvironment(\.presentationBroker, broker) { try await Cleaner().confirm() }
    print(isConfirmed ? "deleted" : "kept")
  } catch {
    print(error)  // dismissed, or the input ended
  }
}
