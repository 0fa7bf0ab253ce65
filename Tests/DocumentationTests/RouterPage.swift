import Router

/// The example on the catalog's first page.
private func overview(name: String) async throws {
  enum Choice { case delete }

  let coordinator = try await PresentationCoordinator(log: AuditLog(path: "audit.db"), presenter: .terminal)

  let choice = try await withEnvironment(\.presentationBroker, coordinator) {
    @Environment(\.showAlert) var showAlert
    return try await showAlert(
      AlertState("Delete \(name)?") {
        ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
        ButtonState(role: .cancel) { "Keep" }
      })
  }
  print(choice)
}
