import Router

/// The example in README.md. `Examples/clean-cache` is a whole program.
private func readMe() async throws {
  func deleteCache() throws {}
  try await withRouter {
    if try await confirm("Delete the cache?", button: "Delete", destructive: true) { try deleteCache() }
  }
}
