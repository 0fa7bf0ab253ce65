import Foundation
import OrderedCollections
import Router
import RouterTesting
import TestSupport

/// A directory with the front ends' links, and the environment for programs that use them.
struct FrontEndPlace {
  let directory: TemporaryDirectory
  let links: String
  var environment: [String: String]

  init(_ daemon: TestDaemon) async throws {
    directory = try TemporaryDirectory()
    links = directory.file("links")
    let install = try ChildProcess("routerctl", ["frontends", "install", links])
    guard await install.exitStatus() == 0 else { throw RouterError(.unreachable, install.printed) }
    environment = [
      "ROUTERD_SOCKET": daemon.socket, "XDG_RUNTIME_DIR": directory.path, "HOME": directory.path, "LC_ALL": "C",
      "SSH_ASKPASS": links + "/router-askpass", "SSH_ASKPASS_REQUIRE": "force",
    ]
  }

  /// Starts a program with the front ends first in its PATH.
  func start(_ program: String, _ arguments: String..., input: String? = nil, environment: [String: String] = [:]) throws
    -> ChildProcess
  {
    let path = links + ":/usr/local/bin:/usr/bin:/bin"
    let environment = self.environment.merging(environment) { $1 }.merging(["PATH": path]) { $1 }
    let found =
      program.hasPrefix("/") ? program : path.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    guard let input else { return try ChildProcess(found ?? program, arguments, environment: environment) }
    let pipe = try ChildPipe()
    pipe.write(input)
    pipe.closeWriting()
    return try ChildProcess(found ?? program, arguments, environment: environment, input: pipe.reading)
  }

  static func has(_ program: String) -> Bool { access(program, X_OK) == 0 }
}

extension TestPresenter {
  /// Attaches a presenter and waits until it is attached, because front ends do not wait for one.
  static func attached(to daemon: TestDaemon) async throws -> TestPresenter {
    let presenter = TestPresenter(daemon.client)
    let handle = daemon.client.submit(.alert("Is anybody there?"))
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    _ = try await handle.resolved()
    return presenter
  }

  /// Answers a form with a value for one field.
  func type(_ text: String, in field: String = "answer", of shown: Presentation) async throws {
    try await answer(.object([field: .string(text)]), on: shown)
  }
}
