import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

extension Channel {
  /// Speaks HTTP/1.1 on a new connection, within limits, one request after the other. On its event loop.
  ///
  /// - Parameters:
  ///   - limits: Those of the moment.
  ///   - maximumBody: How many bytes a request's body may have.
  func takeRequests(
    limits: ConnectionLimits, maximumBody: Int, respond: @escaping RequestHandler.Responder
  ) throws {
    var decoderLimits = NIOHTTPDecoderLimitConfiguration()
    decoderLimits.maxHeaderFieldSize = limits.headerBytes
    decoderLimits.maxHeaderListSize = limits.headerBytes
    decoderLimits.maxHeaderFieldCount = RequestGuard.maximumFields
    let pipeline = pipeline.syncOperations
    // Errors are the guard's to answer, and what is written has HTTPTypes' own checks behind it.
    try pipeline.configureHTTPServerPipeline(
      withErrorHandling: false, withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: decoderLimits)
    try ReasonPhrases.add(to: self)
    try pipeline.addHandlers([
      HTTP1ToHTTPServerCodec(secure: false), RequestGuard(limits: limits),
      RequestHandler(maximumBody: maximumBody, respond: respond),
    ])
  }

  /// Closes a new connection as soon as it can be closed: one that is not active yet does not mind.
  func closeWhenActive() throws {
    try pipeline.syncOperations.addHandler(ClosedDoor())
  }
}

private final class ClosedDoor: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  func channelActive(context: ChannelHandlerContext) {
    context.close(promise: nil)
  }
}
