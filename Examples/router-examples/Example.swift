import ArgumentParser
import Router
import RouterClient

/// A program that prompts, and a script of the person's answers.
protocol Example: AsyncParsableCommand {
  var options: ExampleOptions { get }

  /// The person's actions in `--scripted` mode.
  static var script: [ScriptedPresenter.Step] { get }

  /// Runs the program. It asks through the environment and does not know the presenter.
  static func play() async throws
}

extension Example {
  func run() async throws {
    let script = options.isScripted ? Self.script : nil
    if options.daemon {
      try await run(over: RouterClient(app: "router-examples"), presenter: script.map { ScriptedPresenter($0) })
    } else {
      let log = try AuditLog.inMemory()
      let coordinator = try await PresentationCoordinator(log: log, app: "router-examples")
      let presenter: (any Presenter)? = script.map { ScriptedPresenter($0) } ?? .terminal
      try await run(over: coordinator, presenter: presenter)
      await coordinator.shutDown()
      try await printRecord(of: log)
    }
  }

  /// Runs the program, and beside it the presenter, if any.
  private func run(over broker: any PresentationBroker, presenter: (any Presenter)?) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let presenter { group.addTask { try await broker.run(presenter) } }
      group.addTask { try await withEnvironment(\.presentationBroker, broker) { try await Self.play() } }
      // The program ends by itself; a presenter ends first only if it fails.
      try await group.next()
      group.cancelAll()
    }
  }

  private func printRecord(of log: AuditLog) async throws {
    print("\nThe record:")
    for try await presentation in try AuditReader(log).presentations() {
      let outcome = presentation.outcome.map { [$0.name.rawValue, $0.reason].compactMap(\.self).joined(separator: ", ") }
      print("  \(presentation.request.heading): \(outcome ?? presentation.state.rawValue)")
    }
  }
}

/// The options of all examples.
struct ExampleOptions: ParsableArguments {
  @Flag(help: "Ask the routerd that runs, instead of showing things here.")
  var daemon = false

  @Flag(name: .customLong("scripted"), help: "Let a script answer.")
  var isScripted = false
}
