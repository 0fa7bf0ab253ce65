import Foundation
import Router
import RouterClient
import TestSupport
import Testing

/// `routerctl web --open`, with a browser that records its input.
/// Promise P67.
@Suite(.timeLimit(.minutes(10)))
struct WebCommandTests {
  @Test func `opens the page without the link in any argument list`() async throws {
    let directory = try TemporaryDirectory()
    let browser = directory.file("xdg-open")
    try "#!/bin/sh\necho \"$1\" >\"$NOTES/path\"; stat -c %a \"$1\" >\"$NOTES/mode\"; cat \"$1\" >\"$NOTES/page\"\n"
      .write(toFile: browser, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
    try await TestDaemon.run(environment: ["ROUTERD_WEB_ADDRESS": "127.0.0.1:0"]) { daemon in
      let command = try ChildProcess(
        "routerctl", ["web", "--open", "--socket", daemon.socket],
        environment: [
          "PATH": directory.path + ":/usr/bin:/bin", "NOTES": directory.path, "XDG_RUNTIME_DIR": directory.path,
        ])
      await command.expectExit(0)
    }
    func note(_ name: String) throws -> String { try String(contentsOfFile: directory.file(name), encoding: .utf8) }
    let path = try note("path")
    #expect(path.hasPrefix(directory.path + "/router-") && path.hasSuffix(".html\n"))
    #expect(try note("mode") == "600\n")
    #expect(try note("page").contains("url=http://127.0.0.1:"))
  }
}
