import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// Searches for a typed password everywhere, and expects it only in its requester's reply.
/// Promise P91.
@Suite(.timeLimit(.minutes(10)))
struct CanaryTests {
  private let canary = "canary-\(UUID().uuidString)"

  private static let form: JSONValue = [
    "kind": "sheet", "sheet": "login",
    "schema": ["type": "object", "properties": ["password": ["type": "string", "format": "password"]]],
  ]

  private func form(_ fill: (inout PresentationRequest) -> Void = { _ in }) throws -> PresentationRequest {
    var request = try PresentationRequest(json: Self.form)
    fill(&request)
    return request
  }

  private func answer(_ shown: Presentation) -> JSONValue {
    ["value": ["password": .string(canary)], "generation": .integer(shown.generation)]
  }

  @Test func `returns a sensitive answer in its requester's reply, and nowhere else`() async throws {
    let everything = Gathering()
    try await TestDaemon.run(environment: ["ROUTERD_LOG_LEVEL": "trace"]) { first in
      var daemon = first
      everything.gather("the daemon's standard error", daemon.process.errors)
      everything.gather("the daemon's standard output", daemon.process.output)
      let listener = try UnixListener(path: daemon.directory + "/callbacks")
      let presenter = TestPresenter(daemon.client)
      // Two onlookers: a second presenter, and a follower of the log.
      let onlookers = try [APIPath.stream(surface: "main"), "/v1/log/stream"].map { path in
        let curl = try ChildProcess("/usr/bin/curl", ["-sSN", "--unix-socket", daemon.socket, "http://routerd" + path])
        everything.gather("the stream of \(path)", curl.output)
        return curl
      }
      defer { for onlooker in onlookers { onlooker.signal(SIGKILL) } }

      // A plain request with a callback and a key.
      let address = try PresentationRequest.CallbackAddress("http+unix://\(listener.path.replacing("/", with: "%2F"))/ended")
      let request = try form { $0.onDismiss = address }
      let asking = Task { [daemon] in
        try await daemon.call(.POST, APIPath.presentations, request.json, headers: ["Idempotency-Key": "k"])
      }
      let shown = try await presenter.nextPresentation()
      let accepted = try await daemon.call(.POST, APIPath.presentation(shown.id) + "/answer", answer(shown))
      try #require(accepted.status == 200)
      everything.add("the presenter's reply", accepted.body)
      everything.add(
        "the reply to a second answer",
        try await daemon.call(.POST, APIPath.presentation(shown.id) + "/answer", answer(shown)).body)
      #expect(String(decoding: try await asking.value.body, as: UTF8.self).contains(canary))
      for await call in listener.requests {
        #expect(call.contains("redacted"))
        everything.add("the callback", Array(call.utf8))
        break
      }

      // The same request again with the same key, in both forms, is answered from the record.
      for headers: HeaderFields in [["Idempotency-Key": "k"], ["Idempotency-Key": "k", "Accept": "text/event-stream"]] {
        let again = try await daemon.call(.POST, APIPath.presentations, request.json, headers: headers)
        #expect(again.status == 200 && String(decoding: again.body, as: UTF8.self).contains(shown.id.description))
        everything.add("the same request again", again.body)
      }

      let flow = try await answerFlow(daemon, presenter, everything)
      let byCommand = try await answerCommand(daemon, presenter, everything)
      try await readEverything(daemon, [shown.id, flow, byCommand], everything)
      everything.addFiles(of: daemon)

      daemon.process.signal(SIGKILL)
      _ = await daemon.process.exitStatus()
      everything.addFiles(of: daemon)
      daemon = try await daemon.next(environment: ["ROUTERD_LOG_LEVEL": "trace"])
      everything.gather("the next daemon's standard error", daemon.process.errors)
      try await readEverything(daemon, [shown.id, flow, byCommand], everything)
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
      everything.addFiles(of: daemon)
    }
    let found = await everything.places(of: canary)
    #expect(found.places.isEmpty)
    // The search covered enough places, and they are not empty.
    #expect(found.looked > 30)
    #expect(await everything.places(of: "password").places.count > 10)
  }

  /// Answers a flow twice, and expects each answer on its requester's stream.
  private func answerFlow(_ daemon: TestDaemon, _ presenter: TestPresenter, _ everything: Gathering) async throws
    -> PresentationID
  {
    let request = try form { $0.flow = true }
    let curl = try ChildProcess(
      "/usr/bin/curl",
      [
        "-sSN", "--unix-socket", daemon.socket, "http://routerd" + APIPath.presentations, "-H", "Accept: text/event-stream",
        "-d", request.json.description,
      ])
    defer { curl.signal(SIGKILL) }
    var lines = curl.output.makeAsyncIterator()
    var id: PresentationID?
    for _ in 0..<2 {
      let shown = try await presenter.nextPresentation()
      id = shown.id
      let accepted = try await daemon.call(.POST, APIPath.presentation(shown.id) + "/answer", answer(shown))
      try #require(accepted.status == 200)
      everything.add("the presenter's reply", accepted.body)
      var line = await lines.next()
      while let text = line, !text.contains(canary) { line = await lines.next() }
      #expect(line != nil)
    }
    let root = try #require(id)
    // The screen is shown again each time.
    #expect(try await presenter.nextPresentation().generation == 3)
    everything.add("the reply to finish", try await daemon.call(.POST, APIPath.presentation(root) + "/finish").body)
    return root
  }

  /// Answers a question from the command line, which prints the answer.
  private func answerCommand(_ daemon: TestDaemon, _ presenter: TestPresenter, _ everything: Gathering) async throws
    -> PresentationID
  {
    let command = try ChildProcess(
      "routerctl", ["sheet", "login", "--schema", Self.form["schema"]?.description ?? "", "--socket", daemon.socket])
    everything.gather("routerctl's standard error", command.errors)
    let shown = try await presenter.nextPresentation()
    let value = #"{"password":"\#(canary)"}"#
    let answering = try ChildProcess(
      "routerctl", ["answer", shown.id.description, "--value", value, "--json", "--socket", daemon.socket])
    for line in await answering.allOutput() { everything.add("routerctl answer", Array(line.utf8)) }
    await answering.expectExit()
    #expect(await command.allOutput() == [value])
    return shown.id
  }

  /// Gathers all routes and commands that report on presentations, as an administrator.
  private func readEverything(_ daemon: TestDaemon, _ ids: [PresentationID], _ everything: Gathering) async throws {
    var paths = ["/v1/log?search=\(canary)", "/v1/log?limit=1000", "/v1/log/stats", "/metrics"]
    let document = try await daemon.call(.GET, APIPath.openAPI).json
    for (path, item) in document["paths"]?.object ?? [:] where item["get"] != nil && !path.hasSuffix("/stream") {
      paths += path.contains("{id}") ? ids.map { path.replacing("{id}", with: $0.description) } : [path]
    }
    for path in paths {
      let reply = try await daemon.call(.GET, path)
      #expect(reply.status == 200 || reply.status == 404, "\(path)")
      everything.add("GET \(path.replacing(canary, with: "…"))", reply.body)
    }
    let plain = try await daemon.call(.GET, "/v1/log", headers: ["Accept": "application/x-ndjson"])
    everything.add("GET /v1/log as lines", plain.body)
    var commands = [["log"], ["log", "--json"], ["log", "--csv"], ["log", "--events"], ["queue"], ["status"]]
    commands += ids.flatMap { [["log", "show", "\($0)"], ["wait", "\($0)"]] }
    for arguments in commands {
      let place = arguments.first == "log" ? ["--database", daemon.database] : ["--socket", daemon.socket]
      let command = try ChildProcess("routerctl", arguments + place)
      for line in await command.allOutput() { everything.add("routerctl \(arguments)", Array(line.utf8)) }
      for await line in command.errors { everything.add("routerctl \(arguments)", Array(line.utf8)) }
      _ = await command.exitStatus()
    }
  }
}

/// Bytes gathered from many places, to be searched.
final class Gathering: Sendable {
  private let gathered = Mutex<[(place: String, bytes: [UInt8])]>([])
  private let streams = Mutex<[Task<Void, Never>]>([])

  func add(_ place: String, _ bytes: some Sequence<UInt8>) {
    gathered.withLock { $0.append((place, Array(bytes))) }
  }

  /// Gathers lines until their process ends.
  func gather(_ place: String, _ lines: AsyncStream<String>) {
    let task = Task { for await line in lines { add(place, line.utf8) } }
    streams.withLock { $0.append(task) }
  }

  /// Adds all files in the daemon's directory, including the database, its write-ahead log and shared memory.
  func addFiles(of daemon: TestDaemon) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: daemon.directory)) ?? [] {
      guard let bytes = FileManager.default.contents(atPath: daemon.directory + "/" + name) else { continue }
      add(name, bytes)
    }
  }

  /// Returns the places that contain a text, after all gathered streams have ended.
  func places(of text: String) async -> (places: [String], looked: Int) {
    for stream in streams.withLock(\.self) { await stream.value }
    return gathered.withLock { gathered in
      (gathered.filter { Data($0.bytes).firstRange(of: Data(text.utf8)) != nil }.map(\.place), gathered.count)
    }
  }
}
