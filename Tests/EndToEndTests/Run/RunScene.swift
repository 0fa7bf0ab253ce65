import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// A daemon, a presenter that the test controls, and a directory with programs to run.
struct RunScene: Sendable {
  let daemon: TestDaemon
  let presenter: TestPresenter
  let files: TemporaryDirectory

  static func run(_ body: (RunScene) async throws -> Void) async throws {
    try await TestDaemon.run { daemon in
      try await body(RunScene(daemon: daemon, presenter: TestPresenter(daemon.client), files: try TemporaryDirectory()))
    }
  }

  /// Starts `routerctl run` in the directory, perhaps by another program.
  func start(
    _ command: [String], options: [String] = [], environment: [String: String] = [:], by starter: [String] = [],
    input: CInt? = nil
  ) throws -> ChildProcess {
    let variables = environment.merging(["ROUTERD_SOCKET": daemon.socket]) { $1 }.map { "\($0)=\($1)" }
    let routerctl = ChildProcess.products.appending(path: "routerctl").path
    return try ChildProcess(
      "/usr/bin/env", ["-C", files.path] + variables + starter + [routerctl, "run"] + options + ["--"] + command, input: input)
  }

  /// Answers the prompt that is shown, and returns it as it was shown.
  @discardableResult
  func answer(_ button: String = "run", before: (Presentation) async throws -> Void = { _ in }) async throws -> Presentation {
    let shown = try await presenter.nextPresentation()
    try await before(shown)
    try await presenter.press(id: button, on: shown)
    return shown
  }

  /// Writes an executable file.
  @discardableResult
  func program(_ name: String, _ text: String) throws -> String {
    let path = try files.write(text, to: name)
    chmod(path, 0o755)
    return path
  }

  /// The report of a presentation on record.
  func report(of presentation: Presentation) async throws -> ActReport? {
    try await daemon.client.presentation(presentation.id).ran?.report
  }

  /// Expects that nothing ran because a file was changed, and that this is on record.
  func expectChanged(
    _ process: ChildProcess, _ shown: Presentation, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    await process.expectExit(119, sourceLocation: sourceLocation)
    #expect(await process.allOutput() == [], sourceLocation: sourceLocation)
    guard case .notRun(let reason) = try await report(of: shown)?.result else {
      Issue.record("nothing is on record", sourceLocation: sourceLocation)
      return
    }
    #expect(reason.contains(what), sourceLocation: sourceLocation)
  }

  func log(_ arguments: String...) async throws -> [String] {
    try await ChildProcess("routerctl", ["log"] + arguments + ["--database", daemon.database]).allOutput()
  }
}
