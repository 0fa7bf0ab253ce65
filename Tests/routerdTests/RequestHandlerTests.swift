import Hummingbird
import NIOCore
import NIOEmbedded
import Router
import Testing

@testable import routerd

/// A connection's requests, from their bytes to the bytes of their responses.
@Suite(.timeLimit(.minutes(20)))
struct RequestHandlerTests {
  private let channel = NIOAsyncTestingChannel()
  /// The paths of the requests that were to be answered, as they came.
  private let asked: AsyncStream<String>
  private let ask: AsyncStream<String>.Continuation

  init() { (asked, ask) = AsyncStream.makeStream() }

  /// Opens the connection.
  private func open(_ respond: @escaping @Sendable (Request) async throws -> RequestHandler.FollowUp?) async throws {
    try await channel.testingEventLoop.executeInContext { [channel, ask] in
      try channel.takeRequests(limits: ConnectionLimits(), maximumBody: 8) { request in
        ask.yield(request.uri.path)
        return try await respond(request)
      }
    }
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/routerd"))
  }

  private func send(_ text: String) async throws {
    try await channel.writeInbound(ByteBuffer(string: text.replacing("\n", with: "\r\n")))
    await channel.testingEventLoop.run()
  }

  private func close() async throws {
    try await channel.close()
    await channel.testingEventLoop.run()
  }

  /// What is written, until it ends so.
  private func received(until end: String) async throws -> String {
    var text = ""
    while !text.hasSuffix(end) { text += String(buffer: try await channel.waitForOutboundWrite(as: ByteBuffer.self)) }
    return text
  }

  private func answer(_ text: String) async throws {
    try await channel.write(Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text))))
  }

  @Test func `requests that come at once are answered one after the other`() async throws {
    let (released, release) = AsyncStream<Void>.makeStream()
    try await open { request in
      if request.uri.path == "/1" { for await _ in released { break } }
      try await answer(request.uri.path)
      return nil
    }
    try await send("GET /1 HTTP/1.1\n\nGET /2 HTTP/1.1\n\n")
    var paths = asked.makeAsyncIterator()
    #expect(await paths.next() == "/1")
    release.finish()
    #expect(try await received(until: "/2").contains("/1HTTP/1.1 200 OK"))
    #expect(await paths.next() == "/2")
  }

  @Test func `a request is answered when its body is there`() async throws {
    try await open { request in
      try await answer(String(buffer: try await request.body.collect(upTo: 8)))
      return nil
    }
    try await send("POST / HTTP/1.1\nContent-Length: 8\n\n1234")
    try await send("5678")
    #expect(try await received(until: "12345678").hasPrefix("HTTP/1.1 200 OK"))
    try await send("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n3\nabc\n3\ndef\n0\n\n")
    #expect(try await received(until: "abcdef").hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test(arguments: ["Content-Length: 9\n\n", "Transfer-Encoding: chunked\n\n9\n123456789"])
  func `a body that is too long is an error for whoever reads it, before it has come`(rest: String) async throws {
    try await open { request in
      await #expect(throws: NIOTooManyBytesError.self) { try await request.body.collect(upTo: 8) }
      try await answer("no")
      return nil
    }
    try await send("POST / HTTP/1.1\n" + rest)
    #expect(try await received(until: "no").hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test func `a body that nobody reads may be too long, and what follows it is heard`() async throws {
    try await open { request in
      try await answer(request.uri.path)
      return nil
    }
    try await send("POST /1 HTTP/1.1\nContent-Length: 12\n\n123456")
    #expect(try await received(until: "/1").hasPrefix("HTTP/1.1 200 OK"))
    try await send("789012GET /2 HTTP/1.1\n\n")
    #expect(try await received(until: "/2").hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test func `a body that breaks off is no short body`() async throws {
    try await open { _ in nil }
    try await send("POST / HTTP/1.1\nContent-Length: 8\n\n1234")
    try await close()
    ask.finish()
    #expect(await asked.first { _ in true } == nil)
  }

  @Test(arguments: [true, false])
  func `the end of the connection cancels what runs, and what is left to do`(isLeft: Bool) async throws {
    let (ended, end) = AsyncStream<Void>.makeStream()
    let waiting: RequestHandler.FollowUp = {
      // Ends when it is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      end.yield()
    }
    try await open { _ in
      if isLeft { return waiting }
      try await waiting()
      return nil
    }
    try await send("GET / HTTP/1.1\n\n")
    #expect(await asked.first { _ in true } == "/")
    try await close()
    #expect(await ended.first { true } != nil)
  }

  @Test func `who wants the connection closed after the response has it closed, also where that comes later`() async throws {
    try await open { _ in
      { try await answer("late") }
    }
    try await send("GET / HTTP/1.1\nConnection: close\n\n")
    #expect(try await received(until: "late").hasPrefix("HTTP/1.1 200 OK"))
    try await channel.closeFuture.get()
  }

  @Test func `whoever cannot answer ends the connection`() async throws {
    try await open { _ in throw CancellationError() }
    try await send("GET / HTTP/1.1\n\n")
    try await channel.closeFuture.get()
  }

  @Test func `a connection that is to end does so after the response that is owed`() async throws {
    let (released, release) = AsyncStream<Void>.makeStream()
    try await open { _ in
      for await _ in released { break }
      try await answer("last")
      return nil
    }
    try await send("GET / HTTP/1.1\n\n")
    #expect(await asked.first { _ in true } == "/")
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    release.finish()
    #expect(try await received(until: "last").lowercased().contains("connection: close"))
    try await channel.closeFuture.get()
  }
}
