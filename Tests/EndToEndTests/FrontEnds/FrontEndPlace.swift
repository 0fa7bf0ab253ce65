import Foundation
import OrderedCollections
import Router
import RouterTesting

/// The links of the front ends in a directory of their own, and the environment in which programs use them.
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

  /// Starts a program that finds the front ends first.
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
  /// A presenter that is attached: a front end that finds none does not wait for one.
  static func attached(to daemon: TestDaemon) async throws -> TestPresenter {
    let presenter = TestPresenter(daemon.client)
    let handle = daemon.client.submit(.alert("Is anybody there?"))
    try await presenter.press("yes", on: try await presenter.nextPresentation())
    _ = try await handle.resolved()
    return presenter
  }

  /// Gives a form's field a value.
  func type(_ text: String, in field: String = "answer", of shown: Presentation) async throws {
    try await answer(.object([field: .string(text)]), on: shown)
  }
}
