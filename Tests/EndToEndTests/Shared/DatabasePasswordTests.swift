import Foundation
import Router
import RouterClient
import Testing

/// The password of the shared surfaces' database stays out of arguments, output and logs.
/// Promise P28.
@Suite(.timeLimit(.minutes(10)))
struct DatabasePasswordTests {
  @Test(arguments: [
    "host=db password = secret user=alpha", "host=db password='secret word'", "postgresql://alpha:secret@db/router",
    "postgresql://db/router?user=alpha&password=secret", "host=db sslpassword=secret", "password=my secret", "alpha:secret@db",
  ])
  func `is not printed with the configuration`(database: String) async throws {
    let process = try ChildProcess("routerd", ["--check"], environment: ["ROUTERD_SHARED_DATABASE": database])
    let lines = await process.allOutput()
    await process.expectExit(0)
    #expect(lines.contains("shared:"))
    #expect(!lines.contains { $0.contains("secret") })
  }

  @Test func `is not printed by a command that reads files only`() async throws {
    let url = "postgresql://alpha:secret@db/router"
    let process = try ChildProcess("routerctl", ["log", "--shared", "ops", "--database", url])
    await process.expectExit(64)
    #expect(process.printed.contains("Pass --shared"), "\(process.printed)")
    #expect(!process.printed.contains("secret"), "\(process.printed)")
  }

  #if PostgreSQL
  @Test(arguments: ["password=my secret", "postgresql://alpha:se@secret@db/router", "postgresql://alpha:x/secret@db/router"])
  func `is not logged if the connection string is wrong`(database: String) async throws {
    let environment = ["ROUTERD_SHARED_DATABASE": database, "ROUTERD_SHARED_SURFACES": "ops"]
    let daemon = try await TestDaemon.start(environment: environment)
    defer { daemon.remove() }
    #expect(try await daemon.ask("?", surface: "ops").status == 503)
    while !daemon.process.printed.contains("not a connection string") { try Task.checkCancellation() }
    #expect(!daemon.process.printed.contains("secret"))
  }
  #endif
}
