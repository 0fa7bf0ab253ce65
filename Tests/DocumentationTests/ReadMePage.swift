import Router

private struct Address: Codable, Sendable, Hashable {
  var street: String
}

/// The example of README.md.
private func readMe() async throws -> Address {
  struct PickAddress: Sheet {
    typealias Answer = Address
    var recent: [Address]
  }

  struct Checkout {
    @Environment(\.showSheet) private var showSheet

    func address() async throws -> Address {
      try await showSheet(PickAddress(recent: []))  // throws PresentationCancellation if it is closed without an answer
    }
  }

  let broker = try await PresentationCoordinator(log: AuditLog(path: "audit.db"))  // or RouterClient(), for the daemon
  let address = try await withEnvironment(\.presentationBroker, broker) { try await Checkout().address() }
  return address
}
