import Router
import RouterCommandLine

/// The user's service manager, through systemctl(1).
struct UserService: Sendable {
  /// Whether the user's service manager responds.
  var isThere: Bool {
    get async { (try? await run("show-environment"))?.status == 0 }
  }

  func run(_ words: String) async throws -> ShellCommand.Result {
    try await ShellCommand(command: "exec systemctl --user " + words).run(input: [])
  }

  /// Runs a command that must succeed.
  func change(_ words: String, to purpose: String) async throws {
    let result = try await run(words)
    guard result.status == 0 else {
      let why = String(decoding: result.errors, as: UTF8.self).trimmingWhiteSpace
      throw CommandFailure(.failed, "cannot \(purpose): systemctl --user \(words): \(why)")
    }
  }

  func isTrue(_ question: String) async -> Bool {
    (try? await run("--quiet \(question) routerd.service"))?.status == 0
  }

  func property(_ name: String) async -> String {
    let result = try? await run("show --property=\(name) --value routerd.service")
    return String(decoding: result?.output ?? [], as: UTF8.self).trimmingWhiteSpace
  }
}
