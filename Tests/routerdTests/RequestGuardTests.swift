import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Router
import Testing

@testable import routerd

/// What a connection's client may take its time for, on a clock of the test's own.
struct RequestGuardTests {
  private let channel: EmbeddedChannel
  private static let head = HTTPRequestPart.head(
    HTTPRequest(method: .post, scheme: "http", authority: "routerd", path: "/v1/presentations"))

  init() throws {
    var limits = ConnectionLimits()
    limits.requestTime = .seconds(10)
    channel = EmbeddedChannel(handler: RequestGuard(limits: limits))
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/routerd")).wait()
  }

  private func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  /// Writes a response to its end.
  private func respond() throws {
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) != nil)
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) != nil)
  }

  /// The problem that was written, and that the connection is over with it.
  private func problem() throws -> Problem {
    guard case .head(let head) = try #require(try channel.readOutbound(as: HTTPResponsePart.self)),
      case .body(let body) = try #require(try channel.readOutbound(as: HTTPResponsePart.self)),
      case .end = try #require(try channel.readOutbound(as: HTTPResponsePart.self))
    else {
      Issue.record("no whole response")
      throw CancellationError()
    }
    #expect(head.headerFields[.connection] == "close")
    #expect(head.headerFields[.contentType] == Problem.contentType)
    #expect(!channel.isActive)
    let problem = try Problem(json: JSONValue(parsing: Array(body.readableBytesView)))
    #expect(problem.status == head.status.code)
    return problem
  }

  @Test func `who asks nothing is let go without a word`() throws {
    advance(9)
    #expect(channel.isActive)
    advance(1)
    #expect(!channel.isActive)
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
  }

  @Test func `head and body have the time each, and no more`() throws {
    advance(9)
    try channel.writeInbound(Self.head)
    advance(9)
    try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "{")))
    #expect(channel.isActive)
    advance(1)
    let problem = try problem()
    #expect(problem.status == 408)
    #expect(problem.detail == "cannot take the request: its body did not arrive within 10 s")
  }

  @Test func `a request that is there may wait for its answer as long as it likes`() throws {
    try channel.writeInbound(Self.head)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    advance(1_000_000)
    #expect(channel.isActive)
    try respond()
    advance(9)
    #expect(channel.isActive)
    try channel.writeInbound(Self.head)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    advance(1_000_000)
    try respond()
    advance(10)
    #expect(!channel.isActive)
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
  }

  @Test func `a body that is answered before it is there does not get longer`() throws {
    try channel.writeInbound(Self.head)
    try respond()
    advance(10)
    // It has its response: a word now would be taken for another's.
    #expect(!channel.isActive)
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
  }

  @Test(arguments: [(HTTPParserError.headerOverflow, 431), (.invalidMethod, 400), (.invalidEOFState, 400)])
  func `what is no HTTP is answered`(error: HTTPParserError, status: Int) throws {
    channel.pipeline.fireErrorCaught(error)
    #expect(try problem().status == status)
    #expect(throws: Never.self) { try channel.throwIfErrorCaught() }
  }

  @Test func `what is no HTTP any more is answered, and not twice`() throws {
    try channel.writeInbound(Self.head)
    channel.pipeline.fireErrorCaught(HTTPParserError.invalidChunkSize)
    #expect(try problem().status == 400)
    #expect(throws: ChannelError.ioOnClosedChannel) {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    }
  }

  @Test func `while a response is written there is no other`() throws {
    try channel.writeInbound(Self.head)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    _ = try channel.readOutbound(as: HTTPResponsePart.self)
    channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    #expect(throws: HTTPParserError.invalidMethod) { try channel.throwIfErrorCaught() }
  }
}
