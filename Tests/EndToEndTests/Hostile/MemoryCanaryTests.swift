import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Searches the memory of the daemon and of pinentry for typed passwords that they have delivered.
/// Promise P91.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: ProcessMemory.isPossible, "the kernel does not let this user read its programs' memory"))
struct MemoryCanaryTests {
  private static let form: JSONValue = [
    "kind": "sheet", "sheet": "login",
    "schema": ["type": "object", "properties": ["password": ["type": "string", "format": "password"]]],
  ]

  /// Swift stores up to 15 bytes of a text in place, and so copies them to stacks. Long bodies take other paths than short
  /// ones: they arrive in parts and are parsed off the loop.
  @Test(arguments: Array(1...15) + [43, 90_000])
  func `keeps no copy of delivered answers in memory`(length: Int) async throws {
    try await TestDaemon.run { daemon in
      let canary = try Canary(length: length, newTo: ProcessMemory(of: daemon.process.pid))
      try await deliver(canary, through: daemon)
    }
  }

  /// A refused answer may be a password too: with a typing error, or for a prompt that has ended.
  @Test(arguments: [14, 43])
  func `keeps no copy of refused answers in memory`(length: Int) async throws {
    try await TestDaemon.run { daemon in
      let canary = try Canary(length: length, newTo: ProcessMemory(of: daemon.process.pid))
      let presenter = TestPresenter(daemon.client)
      let handle = daemon.client.submit(try PresentationRequest(json: Self.form))
      let shown = try await presenter.nextPresentation()
      let answering = try RawConnection(daemon.socket)
      let password = #"{"password":"\#(canary.text)"}"#
      for (id, body, status) in [
        (shown.id, #"{"value":\#(password),"generation":7}"#, 409), (shown.id, #"{"value":[\#(password)]}"#, 422),
        (shown.id, #"{"value":\#(password),"generation":"1"}"#, 400), (shown.id, #"{"value":\#(password)"#, 400),
        (PresentationIDGenerator().next(at: PresentationClock.system.wall()), #"{"value":\#(password)}"#, 404),
      ] {
        answering.send(
          "POST \(APIPath.presentation(id))/answer HTTP/1.1\r\nHost: l\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let reply = await answering.receive(until: "\"}")
        #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(body): \(reply)")
      }
      try await expectNone(of: canary, in: daemon, after: "refusals")
      try await presenter.dismiss(shown)
      #expect(try await handle.outcome() == .dismissed)
    }
  }

  /// The kernel lets only root read the memory of a program that forbids core dumps.
  @Test(.enabled(if: getuid() == 0, "this user is not root"), arguments: [20, 200])
  func `pinentry keeps no copy of a passphrase`(length: Int) async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await TestPresenter.attached(to: daemon)
      let input = try ChildPipe()
      let pinentry = try ChildProcess(
        "routerctl", ["pinentry"], environment: ["ROUTERD_SOCKET": daemon.socket], input: input.reading)
      input.write("GETPIN\n")
      let shown = try await presenter.nextPresentation()
      let canary = try Canary(length: length, newTo: ProcessMemory(of: pinentry.pid))
      try await presenter.answer(["passphrase": .string(canary.text)], on: shown)
      var lines = pinentry.output.makeAsyncIterator()
      while let line = await lines.next(), !line.hasPrefix("D ") {}
      // When it replies again, it has freed what the first answer needed.
      input.write("GETINFO flavor\n")
      while let line = await lines.next(), line != "D router" {}
      let found = try ProcessMemory(of: pinentry.pid).places(of: canary.traces)
      #expect(found.isEmpty, "pinentry has \(found.count) copies of \(canary.text), at \(found)")
      input.closeWriting()
      await pinentry.expectExit()
    }
  }

  @Test func `finds what is in a program's memory`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      _ = daemon.client.submit(.alert("?"))
      let shown = try await presenter.nextPresentation()
      let id = Array(shown.id.description.utf8.prefix(8))
      #expect(try !ProcessMemory(of: daemon.process.pid).places(of: [id]).isEmpty)
    }
  }

  /// Searches the memory once the loop has ended what it was doing: it takes its work in order.
  private func expectNone(of canary: Canary, in daemon: TestDaemon, after call: String) async throws {
    #expect(try await daemon.call(.GET, APIPath.health).status == 200)
    let found = try ProcessMemory(of: daemon.process.pid).places(of: canary.traces)
    #expect(found.isEmpty, "after \(call), the daemon has \(found.count) copies of \(canary.text.prefix(40)), at \(found)")
  }

  /// Answers seven prompts: plain, with a key, waited for, streamed, and three in a flow, of which the page checks the last
  /// first.
  private func deliver(_ canary: Canary, through daemon: TestDaemon) async throws {
    let quoted = "\"\(canary.text)\""
    let presenter = TestPresenter(daemon.client)
    // A connection that stays open: buffers of ended ones are freed.
    let answering = try RawConnection(daemon.socket)
    let asking = try RawConnection(daemon.socket)

    func answer(_ shown: Presentation) async throws {
      let body = #"{"value":{"password":\#(quoted)},"generation":\#(shown.generation)}"#
      let text =
        "POST \(APIPath.presentation(shown.id))/answer HTTP/1.1\r\nHost: l\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      answering.send(text)
      answering.send(body)
      let reply = await answering.receive(until: "\"callback\":null}")
      #expect(reply.hasPrefix("HTTP/1.1 200") && !reply.contains(quoted))
    }

    for headers in ["", "Idempotency-Key: the-first-answer\r\n", "Prefer: wait=600\r\n"] {
      let body = Self.form.description
      asking.send(
        "POST \(APIPath.presentations) HTTP/1.1\r\nHost: l\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      try await answer(try await presenter.nextPresentation())
      #expect(await asking.receive(until: "\"callback\":null}").contains(quoted))
      try await expectNone(of: canary, in: daemon, after: "\(headers)an answer")
    }
    var streams: [RawConnection] = []
    for isFlow in [false, true] {
      var request = try PresentationRequest(json: Self.form)
      request.flow = isFlow
      let body = request.json.description
      let stream = try RawConnection(daemon.socket)
      stream.send(
        "POST \(APIPath.presentations) HTTP/1.1\r\nHost: l\r\nAccept: text/event-stream\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      for _ in 0..<(isFlow ? 2 : 1) {
        try await answer(try await presenter.nextPresentation())
        #expect(await stream.receive(until: isFlow ? quoted : "event: resolved").contains(quoted))
      }
      if !isFlow { try await expectNone(of: canary, in: daemon, after: "a stream's answer") }
      streams.append(stream)
    }
    // The flow's screen is shown again.
    let shown = try await presenter.nextPresentation()
    let check = #"{"fields":{"password":\#(quoted)}}"#
    answering.send("POST \(APIPath.check(shown.id)) HTTP/1.1\r\nHost: l\r\nContent-Length: \(check.utf8.count)\r\n\r\n")
    answering.send(check)
    #expect(await answering.receive(until: "problems").hasPrefix("HTTP/1.1 200"))
    try await answer(shown)
    #expect(await streams[1].receive(until: quoted).contains(quoted))

    // An open flow keeps its last answer for its end.
    _ = try await daemon.client.finish(shown.id)
    #expect(await streams[1].receive(until: "event: resolved").contains("event: resolved"))
    try await expectNone(of: canary, in: daemon, after: "a flow")
  }
}

/// A random text that a program's memory does not have yet, and what a copy of it would look like.
private struct Canary {
  let text: String
  /// In JSON, and as the words of a Swift string. A few bytes alone would be found anywhere.
  let traces: [[UInt8]]

  init(length: Int, newTo memory: ProcessMemory) throws {
    let seed = TestSeed.make()
    var random = SplitMix64(seed: seed)
    let characters = Array("abcdefghijkmnopqrstuvwxyz23456789~^|@#%&*+=")
    for _ in 0..<100 {
      let text = String((0..<length).map { _ in characters.randomElement(using: &random)! })
      let traces = Self.traces(of: text)
      guard try memory.places(of: traces).isEmpty else { continue }
      (self.text, self.traces) = (text, traces)
      return
    }
    throw RouterError(.impossible, "the program's memory has every text of \(length) bytes (ROUTER_SEED=\(seed))")
  }

  private static func traces(of text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    if bytes.count >= 6 { return [Array(bytes.prefix(8))] }
    return [withUnsafeBytes(of: text) { Array($0) }, Array(":\"\(text)\"".utf8)]
  }
}

/// The memory of a child process (proc_pid_mem(5)).
struct ProcessMemory {
  static let isPossible = geteuid() == 0

  private let pid: pid_t

  init(of pid: pid_t) { self.pid = pid }

  /// Returns the regions that contain any of these bytes, once for each place.
  func places(of parts: [[UInt8]]) throws -> [String] {
    let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw RouterError(.database, "cannot read /proc/\(pid)/mem: \(String(cString: strerror(errno)))") }
    defer { close(memory) }
    var places: [String] = []
    for line in try String(contentsOfFile: "/proc/\(pid)/maps", encoding: .utf8).split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard fields[1].hasPrefix("rw"), bounds.count == 2 else { continue }
      var bytes = [UInt8](repeating: 0, count: bounds[1] - bounds[0])
      var count = 0
      while count < bytes.count {
        let read = bytes.withUnsafeMutableBytes {
          pread(memory, $0.baseAddress! + count, $0.count - count, off_t(bounds[0] + count))
        }
        guard read > 0 else { break }
        count += read
      }
      places += parts.flatMap { Self.offsets(of: $0, in: bytes) }.map {
        "\(String(bounds[0] + $0, radix: 16)) \(fields.dropFirst(5).joined())"
      }
    }
    return places
  }

  private static func offsets(of part: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      var offsets: [Int] = []
      var next = 0
      while next + part.count <= bytes.count,
        let found = memchr(bytes.baseAddress! + next, CInt(part[0]), bytes.count - part.count - next + 1)
      {
        let offset = UnsafeRawPointer(found) - bytes.baseAddress!
        if memcmp(found, part, part.count) == 0 { offsets.append(offset) }
        next = offset + 1
      }
      return offsets
    }
  }
}
