import Router

private struct Address: Codable, Sendable, Hashable {
  var street: String
}

/// The example in README.md.
private func readMe() async throws -> Address {
  struct PickAddress: Sheet {
    typealias Answer = Address
    var recent: [Address]
  }

  struct Checkout {
    @Environment(\.showSheet) private var showSheet

    func address() async throws -> Address {
      try await showSheet(PickAddress(recent: []))  // throws PresentationCancellation without an answer
    }
  }

  let broker = try await PresentationCoordinator(log: AuditLog(path: "audit.db"))  // or RouterClient()
  let address = try await withEnvironment(\.presentationBroker, broker) {
    try await Checkout().address()
  }
  return address
}
