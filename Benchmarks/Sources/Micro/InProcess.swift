@testable import Router
@testable import RouterCore

/// The whole path in one process: ask with an action, show, answer at once, record in memory.
enum InProcess {
  static func subjects() async throws -> [Micro.Subject] {
    let coordinator = try await PresentationCoordinator(log: .inMemory())
    let place = coordinator.attach(presenter: "benchmark", to: "main")
    Task {
      for try await case .present(let presentation, _) in place.events {
        _ = try await place.respond(presentation.id, presentation.generation, .answer(.button("yes")))
      }
    }
    let alert = AlertState {
      "Deploy release 1.4.2 to production?"
    } actions: {
      ButtonState("Deploy", id: "yes", role: .destructive, action: true)
      ButtonState("Not now", id: "no", role: .cancel, action: false)
    }
    return [
      Micro.Subject(name: "showAlert in process, answered at once", count: 500) { count in
        try await withEnvironment(\.presentationBroker, coordinator) {
          let showAlert = ShowAlertAction()
          for _ in 0..<count { blackHole(try await showAlert(alert)) }
        }
      }
    ]
  }
}
