import NIOCore
import NIOHTTP1

/// Gives statuses the words of RFC 9110 where NIO has those of older ones.
final class ReasonPhrases: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), let phrase = Self.phrase(head.status.code) else {
      context.write(data, promise: promise)
      return
    }
    head.status = .custom(code: head.status.code, reasonPhrase: phrase)
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }

  private static func phrase(_ code: UInt) -> String? {
    switch code {
    case 413: "Content Too Large"
    case 422: "Unprocessable Content"
    default: nil
    }
  }
}
