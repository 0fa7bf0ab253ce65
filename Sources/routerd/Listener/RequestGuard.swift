import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Router

/// Bounds what one connection's client can cost by being slow or wrong: its request must arrive in time, it must take what
/// it asked for, and what is no HTTP is answered and ends the connection.
///
/// It stands between NIO's handlers, which let one request through after the other, and ``RequestHandler``, and lives on the
/// connection's event loop.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How many header fields a request may have, however small they are.
  static let maximumFields = 1000

  private let limits: ConnectionLimits
  /// Whether a request has come whose response is not written to its end.
  private var isOwed = false
  /// Whether a request's head has been read and its end has not.
  private var isReading = false
  /// Whether a response's head has been written and its end has not.
  private var isResponding = false
  /// Whether the last word was said here.
  private var isOver = false
  /// When the request must be there; `nil` while none is expected.
  private var deadline: NIODeadline?
  /// Looks at the deadline, at its time or at that of an earlier one: to set a timer for each takes longer than all else here.
  private var timer: Scheduled<Void>?
  /// When to see whether the client has taken anything.
  private var stallCheck: Scheduled<Void>?
  /// How many bytes of bodies were written, and how many of them the client had taken when that was last looked at.
  private var written = 0
  private var taken = 0

  init(limits: ConnectionLimits) {
    self.limits = limits
  }

  func channelActive(context: ChannelHandlerContext) {
    expectRequest(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    stallCheck?.cancel()
    context.fireChannelInactive()
  }

  // MARK: The client's side

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    switch unwrapInboundIn(data) {
    case .head:
      isOwed = true
      isReading = true
      expectRequest(context)
    case .body: break
    case .end:
      isReading = false
      deadline = nil
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isOver else { return }
    switch error {
    case HTTPParserError.headerOverflow where canRespond:
      let limit = "\(limits.headerBytes) bytes or \(Self.maximumFields) fields"
      refuse(context, .requestHeaderFieldsTooLarge, "cannot take the request: its line and header have more than \(limit)")
    case is HTTPParserError where canRespond, is HTTP1TypeConversionError where canRespond:
      refuse(context, .badRequest, "cannot understand the request: it is no HTTP/1.1 (\(error))")
    default: context.fireErrorCaught(error)
    }
  }

  /// Gives the client its time to send a request, or the rest of one.
  private func expectRequest(_ context: ChannelHandlerContext) {
    let deadline = context.eventLoop.now + TimeAmount(limits.requestTime)
    self.deadline = deadline
    if timer == nil { look(at: deadline, context) }
  }

  private func look(at time: NIODeadline, _ context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
      self.timer = nil
      guard let deadline = self.deadline else { return }
      if deadline > context.eventLoop.now { self.look(at: deadline, context) } else { self.requestIsLate(context) }
    }
  }

  private func requestIsLate(_ context: ChannelHandlerContext) {
    guard isReading, canRespond else {
      // Nothing was asked, as far as it is known, or something else is being answered.
      context.close(promise: nil)
      return
    }
    let seconds = JSONValue.seconds(limits.requestTime)
    refuse(context, .requestTimeout, "cannot take the request: its body did not arrive within \(seconds) s")
  }

  // MARK: The daemon's side

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isOver else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head: isResponding = true
    case .body(let buffer): written += buffer.readableBytes
    case .end:
      isResponding = false
      isOwed = false
      if !isReading { expectRequest(context) }
    }
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    guard stallCheck == nil, let unsent = unsent(context), unsent > 0 else { return }
    taken = written - unsent
    checkLater(context)
  }

  private func checkLater(_ context: ChannelHandlerContext) {
    stallCheck = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.stallTime)) {
      self.checkStall(context)
    }
  }

  private func checkStall(_ context: ChannelHandlerContext) {
    stallCheck = nil
    guard let unsent = unsent(context), unsent > 0 else { return }
    let before = taken
    taken = written - unsent
    if taken > before {
      checkLater(context)
    } else {
      context.close(promise: nil)
    }
  }

  /// What was written and the kernel has not taken yet.
  private func unsent(_ context: ChannelHandlerContext) -> Int? {
    try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
  }

  // MARK: The last word

  /// Whether a response can be written here without coming between the parts of another, or before it.
  private var canRespond: Bool { !isResponding && isOwed == isReading }

  private func refuse(_ context: ChannelHandlerContext, _ status: HTTPResponse.Status, _ detail: String) {
    isOver = true
    deadline = nil
    let problem = Problem(status: status.code, title: status.reasonPhrase, detail: detail)
    let body = ByteBuffer(bytes: problem.jsonText.bytes)
    let headers: HTTPFields = [
      .contentType: Problem.contentType, .contentLength: String(body.readableBytes), .connection: "close",
      .date: HTTPDate.now,
    ]
    context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }
}
