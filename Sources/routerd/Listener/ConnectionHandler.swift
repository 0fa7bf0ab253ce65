import DequeModule
import Logging
import NIOCore
import NIOHTTP1
import Router

/// A client connection, behind NIO's HTTP/1 decoder. Reads requests in order, passes each to its route, and limits the cost of
/// a slow or malicious client. A request lives as long as its connection.
///
/// Runs on the event loop that is also the coordinator's executor. Responses may be sent from within the coordinator, so they
/// are buffered; ``endTurn()`` then writes them, and closes the connection or takes the next request.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = Never
  typealias OutboundOut = ByteBuffer

  /// The maximum number of header fields in a request.
  static let maximumFields = 1000
  /// The interval of comments that keep an idle stream alive.
  static let keepAliveInterval = TimeAmount.seconds(15)

  /// A request without a response yet. Keeps only the data for the response, not its headers and body: a person may take hours
  /// to answer.
  struct Pending {
    let number: Int
    let method: HTTPMethod
    let isHTTP11: Bool
    let isLast: Bool
    var isStream = false
    var onDisconnect: (@Sendable () -> Void)?

    init(number: Int, request: Request) {
      self.number = number
      (method, isHTTP11, isLast) = (request.method, request.isHTTP11, request.isLast)
    }
  }

  /// Called once the kernel has accepted the written bytes, or with an error if it will not.
  typealias Written = @Sendable (Result<Void, any Error>) -> Void

  let limits: ConnectionLimits
  let maximumBody: Int
  let headers: HTTPHeaders
  let executor: LoopExecutor
  let worker: any TaskExecutor
  let answer: (Request, Exchange) -> Void
  let logger: Logger

  var context: ChannelHandlerContext?
  var reading: Request?
  var pending: Pending?
  var lastNumber = 0
  /// Parts of pipelined requests, delayed until the current response is written.
  var waiting: Deque<HTTPServerRequestPart> = []
  var isReadHeld = false
  /// A parser error, reported after the responses to earlier requests.
  private var parserError: (any Error)?

  var output = ByteBuffer()
  /// Callbacks for when ``output`` is written.
  var written: [Written] = []
  var isTurnEnding = false
  var isClosing = false
  var isQuiescing = false
  /// Whether the client has closed its sending side.
  private var isInputClosed = false

  /// The deadline for the current request; `nil` while none is expected.
  var deadline: NIODeadline?
  /// Checks the deadline when it fires, which may be early, since rescheduling a timer for each request costs too much.
  var timer: Scheduled<Void>?
  var keepAlive: Scheduled<Void>?
  var stallCheck: Scheduled<Void>?
  /// The number of bytes written.
  var writtenBytes = 0
  /// The number of written bytes that the kernel had accepted at the last query.
  var acceptedBytes = 0
  /// The number of written bytes that the kernel had accepted at the last check, if fewer than all.
  var takenBytes: Int?

  /// - Parameters:
  ///   - headers: Fields added to each response.
  ///   - executor: The executor that ends the turns of the event loop's connections.
  ///   - worker: The executor of slow handlers.
  ///   - answer: Responds to a request, now or later.
  init(
    limits: ConnectionLimits, maximumBody: Int, headers: HTTPHeaders = [:], executor: LoopExecutor,
    worker: any TaskExecutor, logger: Logger,
    answer: @escaping (Request, Exchange) -> Void
  ) {
    self.limits = limits
    self.maximumBody = maximumBody
    self.headers = headers
    self.logger = logger
    self.executor = executor
    self.worker = worker
    self.answer = answer
  }

  func add(to channel: any Channel) throws {
    var decoderLimits = NIOHTTPDecoderLimitConfiguration()
    decoderLimits.maxHeaderFieldSize = limits.headerBytes
    decoderLimits.maxHeaderListSize = limits.headerBytes
    decoderLimits.maxHeaderFieldCount = Self.maximumFields
    try channel.pipeline.syncOperations.addHandlers([
      ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoderLimits)), self,
    ])
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    expectRequest()
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosing = true
    for timer in [timer, keepAlive, stallCheck] { timer?.cancel() }
    let onDisconnect = pending?.onDisconnect
    pending = nil
    reading = nil
    failWritten()
    onDisconnect?()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed {
      // Completely received requests are still answered (RFC 9112, section 9.6).
      isInputClosed = true
      if pending == nil { closeAfterInput() }
    }
    guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
    isQuiescing = true
    if pending == nil, reading == nil {
      context.close(promise: nil)
    } else if pending?.isStream == true {
      // The coordinator has ended its streams by now. Log streams would otherwise continue forever.
      close()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    let part = unwrapInboundIn(data)
    if pending != nil || !waiting.isEmpty { waiting.append(part) } else { take(part) }
  }

  func read(context: ChannelHandlerContext) {
    // Applies backpressure to a client that pipelines requests without reading responses.
    if waiting.isEmpty { context.read() } else { isReadHeld = true }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isClosing else { return }
    guard pending == nil, waiting.isEmpty else {
      // Reported after the responses to earlier requests.
      parserError = error
      return
    }
    refuse(error)
  }

  private func refuse(_ error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow:
      let limit = "\(limits.headerBytes) bytes or \(Self.maximumFields) fields"
      refuse(.requestHeaderFieldsTooLarge, "cannot take the request: its request line and headers have more than \(limit)")
    case is HTTPParserError: refuse(.badRequest, "cannot understand the request: it is not HTTP/1.1 (\(error))")
    default: context?.close(promise: nil)
    }
  }

  // MARK: Reading

  func take(_ part: HTTPServerRequestPart) {
    switch part {
    case .head(let head): takeHead(head)
    case .body(let part):
      guard reading != nil else { return }
      reading!.body.writeImmutableBuffer(part)
      part.overwrite()
      if reading!.body.readableBytes > maximumBody { refuseBody() }
    case .end:
      guard let request = reading else { return }
      reading = nil
      deadline = nil
      start(request)
    }
  }

  private func takeHead(_ head: HTTPRequestHead) {
    do {
      let request = try Request(head)
      reading = request
      expectRequest()
      if let expectation = request.header("expect"), request.isHTTP11, !request.expectsContinue {
        return refuse(.expectationFailed, "cannot meet Expect: \(expectation.shortened); only 100-continue is supported")
      }
      if let length = request.contentLength, length > maximumBody { return refuseBody() }
      guard request.expectsContinue else { return }
      output.writeString("HTTP/1.1 100 Continue\r\n\r\n")
      endTurnSoon()
    } catch {
      refuse(.badRequest, error.message)
    }
  }

  private func refuseBody() {
    refuse(.payloadTooLarge, "cannot take the body: it has more than \(maximumBody) bytes")
  }

  private func start(_ request: Request) {
    guard let context else { return }
    lastNumber += 1
    pending = Pending(number: lastNumber, request: request)
    answer(request, Exchange(self, number: lastNumber, loop: context.eventLoop, worker: worker))
  }

  /// Responds to an incompletely received request, and closes the connection.
  func refuse(_ status: HTTPResponseStatus, _ detail: String) {
    let request = reading
    reading = nil
    deadline = nil
    Response(status, problem: detail).encode(
      into: &output, adding: headers, isLast: true, hasBody: request?.method != .HEAD)
    close()
  }

  // MARK: Turns

  func endTurnSoon() {
    guard !isTurnEnding, let context else { return }
    isTurnEnding = true
    executor.perform { [connection = NIOLoopBound(self, eventLoop: context.eventLoop)] in connection.value.endTurn() }
  }

  func endTurn() {
    isTurnEnding = false
    guard let context, context.channel.isActive else { return failWritten() }
    if isClosing, output.readableBytes == 0 { return context.close(promise: nil) }
    flush(context)
    while pending == nil, !isClosing, let part = waiting.popFirst() { take(part) }
    if let parserError, pending == nil, !isClosing {
      self.parserError = nil
      refuse(parserError)
    }
    if isInputClosed, pending == nil { closeAfterInput() }
    if isReadHeld, waiting.isEmpty {
      isReadHeld = false
      context.read()
    }
  }

  /// Closes the connection if no received request is left.
  private func closeAfterInput() {
    if waiting.isEmpty, !isClosing { close() }
  }

  private func flush(_ context: ChannelHandlerContext) {
    guard output.readableBytes > 0 else { return }
    let buffer = output
    output = ByteBuffer()
    writtenBytes += buffer.readableBytes
    var promise: EventLoopPromise<Void>?
    if isClosing || !written.isEmpty {
      let (callbacks, isLast) = (written, isClosing)
      written = []
      promise = context.eventLoop.makePromise(of: Void.self)
      promise?.futureResult.assumeIsolated().whenComplete { result in
        for callback in callbacks { callback(result) }
        if isLast { context.close(promise: nil) }
      }
    }
    context.writeAndFlush(wrapOutboundOut(buffer), promise: promise)
    checkStallLater()
  }
}
