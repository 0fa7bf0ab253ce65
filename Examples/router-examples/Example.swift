import ArgumentParser
import Router
import RouterClient

/// A program that prompts, and a script of the person's answers.
protocol Example: AsyncParsableCommand {
  var options: ExampleOptions { get }

  /// The person's actions in `--scripted` mode.
  static var script: [ScriptedPresenter.Step] { get }

  /// Runs the program, which asks through the environment. It may throw ``NoAnswer/dismissed`` when the person closes it.
  static func play() async throws
}

extension Example {
  func run() async throws {
    let script = options.isScripted ? ScriptedPresenter(Self.script) : nil
    if options.daemon {
      let client = RouterClient(app: "router-examples")
      try await withEnvironment(\.presentationBroker, client) {
        // Canceled at the end of the scope.
        async let _: Void = { if let script { try await client.run(script) } }()
        try await playToEnd()
      }
    } else {
      let log = try AuditLog.inMemory()
      try await withRouter(log: log, presenter: script ?? .terminal, operation: playToEnd)
      try await printRecord(of: log)
    }
  }

  private func playToEnd() async throws {
    do {
      try await Self.play()
    } catch NoAnswer.dismissed {
      print("Closed.")
    }
  }

  private func printRecord(of log: AuditLog) async throws {
    print("\nThe record:")
    let presentations = try await AuditReader(log).presentations().reduce(into: []) { $0.append($1) }
    // The newest is the first.
    for presentation in presentations.reversed() {
      let outcome = presentation.outcome.map { [$0.name.rawValue, $0.reason].compactMap(\.self).joined(separator: ", ") }
      print("  \(presentation.request.heading): \(outcome ?? presentation.state.rawValue)")
    }
  }
}

/// The options of all examples.
struct ExampleOptions: ParsableArguments {
  @Flag(help: "Ask the daemon, instead of this terminal.")
  var daemon = false

  @Flag(name: .customLong("scripted"), help: "Let a script answer.")
  var isScripted = false
}
