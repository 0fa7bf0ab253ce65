import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Arbitrary bytes at the socket: no crash, no hang, no 500, while valid requests are served.
/// Promise P79.
@Suite(.timeLimit(.minutes(60)))
struct RawFuzzTests {
  /// The number of inputs, set by `ROUTER_FUZZ`.
  private static var count: Int { TestSeed.count("ROUTER_FUZZ", otherwise: 2000) }

  @Test func `keeps serving without an internal error, whatever is sent`() async throws {
    let seed = TestSeed.make()
    try await TestDaemon.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "50"]) { daemon in
      let isOver = Mutex(false)
      async let served = serveProperly(daemon) { isOver.withLock(\.self) }
      // Accepted prompts are dismissed, so the queue moves.
      let presenter = TestPresenter(daemon.client) { _ in .dismiss }
      let workers = 8
      let statuses = await withTaskGroup(of: [Int: Int].self) { group in
        for worker in 0..<workers {
          let share = Self.count / workers
          group.addTask {
            await FuzzWorker(socket: daemon.socket, seed: seed &+ UInt64(worker) &* 0x9E37_79B9).run(share)
          }
        }
        return await group.reduce(into: [:]) { sum, part in sum.merge(part, uniquingKeysWith: +) }
      }
      isOver.withLock { $0 = true }
      let calls = try await served
      presenter.disconnect()
      print(
        "\(Self.count) inputs, \(calls) proper calls beside them; replies by status: \(statuses.sorted { $0.key < $1.key })")
      #expect(statuses[FuzzWorker.lost] == nil, "seed \(seed): the daemon could not be reached")
      #expect(statuses[FuzzWorker.hanging] == nil, "seed \(seed): a request has no reply")
      for status in statuses.keys where status >= 500 { #expect(status == 503, "seed \(seed)") }
      for status in [200, 400, 404, 405] { #expect(statuses[status] != nil, "seed \(seed): \(status)") }
      #expect(try await daemon.call(.GET, "/healthz").status == 200)
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit(0, "seed \(seed)")
      var failures: [String] = []
      for await line in daemon.process.errors where line.contains("a handler failed") { failures.append(line) }
      #expect(failures.isEmpty, "seed \(seed)")
    }
  }

  /// Asks and answers repeatedly on a separate surface.
  ///
  /// - Returns: The number of rounds.
  private func serveProperly(_ daemon: TestDaemon, until isOver: @Sendable () -> Bool) async throws -> Int {
    let presenter = TestPresenter(daemon.client, on: "proper")
    var count = 0
    while !isOver() {
      #expect(try await daemon.ask("\(count)", surface: "proper").status == 202)
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      count += 1
    }
    return count
  }
}

/// Sends inputs one after the other, each on its own connection, from a dedicated thread.
struct FuzzWorker: Sendable {
  /// Stands for a daemon that is gone.
  static let lost = -1
  /// Stands for a complete request without a reply.
  static let hanging = -2
  /// Stands for an incomplete request without a reply, which is fine.
  static let silent = 0

  let socket: String
  let seed: UInt64

  /// - Returns: The number of replies by status.
  func run(_ count: Int) async -> [Int: Int] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes = FuzzBytes(seed: seed)
        var statuses: [Int: Int] = [:]
        for _ in 0..<count {
          let (input, isWhole) = bytes.next()
          statuses[send(input, isWhole: isWhole), default: 0] += 1
        }
        continuation.resume(returning: statuses)
      }
    }
  }

  private func send(_ bytes: [UInt8], isWhole: Bool) -> Int {
    guard let descriptor = try? UnixSocket.connect(to: socket) else { return Self.lost }
    defer { close(descriptor) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      // The daemon may have closed the connection.
      guard count > 0 else { break }
      sent += count
    }
    // A complete request gets a reply, however busy the machine is; the others may get one.
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, isWhole ? 30000 : 2) > 0 else { return isWhole ? Self.hanging : Self.silent }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Self.status(of: buffer[..<max(0, count)])
  }

  /// Returns the status of the reply, or the highest of several.
  private static func status(of bytes: ArraySlice<UInt8>) -> Int {
    let text = String(decoding: bytes, as: UTF8.self)
    let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
    return statuses.max() ?? silent
  }
}
