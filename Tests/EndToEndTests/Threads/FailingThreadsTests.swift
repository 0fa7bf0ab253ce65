import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// A daemon that cannot start threads, as beyond a limit of processes or memory.
/// Promise P58.
@Suite(.timeLimit(.minutes(10)), .enabled(if: !isSanitized, "a sanitizer needs the preloaded place and the address space"))
struct FailingThreadsTests {
  /// The library, compiled once per test run.
  private static let library = Result {
    try CompiledC.compile(
      "Tests/EndToEndTests/Threads/FailingThreads.c", to: "FailingThreads.so", ["-shared", "-fPIC", "-ldl"])
  }

  /// The environment for a process whose threads cannot start while the file exists.
  private static func environment(_ file: String) throws -> [String: String] {
    ["LD_PRELOAD": try library.get(), "ROUTER_FAILING_THREADS": file]
  }

  @Test func `refuses the start in one line if no thread can start`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "fail")
    let daemon = try ChildProcess(
      "routerd", ["--socket", directory.file("s"), "--database", directory.file("log.db")],
      environment: try Self.environment(file))
    var errors: [String] = []
    for await line in daemon.errors { errors.append(line) }
    #expect(errors.count == 1 && errors[0].contains("cannot start a thread"), "\(errors)")
    await daemon.expectExit(1)
  }

  @Test func `serves every kind of request, calls back and stops while no thread can start`() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("fail")
    let environment = try Self.environment(file).merging(["ROUTERD_WEB_ADDRESS": "127.0.0.1:0"]) { $1 }
    try await TestDaemon.run(environment: environment) { daemon in
      let presenter = TestPresenter(daemon.client)
      let listener = try UnixListener(path: daemon.directory + "/callbacks")
      try directory.write("", to: "fail")
      // The first dismiss callback once started the thread of the daemon's client, which ended the daemon.
      var request = PresentationRequest.alert("called back")
      request.onDismiss = try PresentationRequest.CallbackAddress(
        "http+unix://\(listener.path.replacing("/", with: "%2F"))/ended")
      let asking = Task { [request] in
        try await daemon.call(.POST, APIPath.presentations, request.json, headers: ["Idempotency-Key": "k"])
      }
      let shown = try await presenter.nextPresentation()
      try await presenter.press(id: "yes", on: shown)
      #expect(try await asking.value.status == 200)
      var calls = 0
      for await _ in listener.requests {
        calls += 1
        break
      }
      #expect(calls == 1)
      for path in ["/healthz", "/v1/status", "/metrics", "/v1/log", "/v1/log/events", "/v1/log/stats", "/v1/presentations"] {
        #expect(try await daemon.call(.GET, path).status == 200, "\(path)")
      }
      let detached = try await daemon.client.detach(.alert("still open"))
      #expect(try await daemon.client.presentation(detached.id).state != .resolved)
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
    }
  }

  #if PostgreSQL
  /// The log of a shared surface has its own threads, which start with the first request.
  @Test func `refuses a request with 503 if it needs a thread, and serves it later`() async throws {
    let directory = try TemporaryDirectory()
    try await SharedDaemons.run(["alpha"], environment: Self.environment(directory.file("fail"))) { daemons async throws in
      let file = try directory.write("", to: "fail")
      let refused = try await daemons["alpha"].ask("?", surface: "late")
      #expect(try refused.status == 503 && refused.problem.code == RouterError.Code.unavailable.rawValue)
      #expect(refused.headers.first(name: "Retry-After") == "1")
      try FileManager.default.removeItem(atPath: file)
      #expect(try await daemons["alpha"].ask("?", surface: "late").status == 202)
    }
  }
  #endif

  /// Beyond the limit, threads or their memory cannot be allocated.
  @Test(arguments: [60_000, 100_000, 130_000, 200_000, 300_000, 400_000, 600_000, 800_000])
  func `serves or ends with an error under a limit of its address space`(kilobytes: Int) async throws {
    let directory = try TemporaryDirectory()
    let daemon = try ChildProcess(
      "/bin/bash",
      [
        "-c", "ulimit -v \(kilobytes); exec \"$0\" --socket \"$1/s\" --database \"$1/log.db\"",
        ChildProcess.products.appending(path: "routerd").path, directory.path,
      ])
    var isServing = false
    var errors: [String] = []
    for await line in daemon.errors {
      errors.append(line)
      guard line.contains("listening") else { continue }
      isServing = true
      let client = RouterClient(socketPath: directory.file("s"), app: "tests", reconnect: .never)
      try await client.checkHealth()
      let asked = try await client.detach(.alert("served"))
      #expect(try await client.presentations().map(\.id) == [asked.id])
      daemon.signal(SIGTERM)
    }
    if isServing {
      await daemon.expectExit()
    } else {
      #expect(await daemon.exitStatus() != 0)
      // The last ones are the loader's, and GnuTLS's, which libpq loads.
      let causes = ["cannot", "memory", "failed to map", "Error in GnuTLS initialization"]
      #expect(errors.count == 1 && causes.contains { errors[0].contains($0) }, "\(errors)")
    }
  }
}

/// Whether this runs under `scripts/sanitize`.
private let isSanitized = ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains { ProcessInfo.processInfo.environment[$0] != nil }
