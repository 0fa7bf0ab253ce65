import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

extension Channel {
  /// Writes a response and waits until the kernel has it. A body of known length goes out with its head; each piece of another goes
  /// out at once and is waited for, so that no more is made than is taken.
  ///
  /// - Throws: If the connection ends before, and what the body throws.
  func write(_ response: Response) async throws {
    write(HTTPResponsePart.head(response.head), promise: nil)
    try await response.body.write(PartWriter(channel: self, isStream: response.body.contentLength == nil))
  }
}

/// Writes the parts of a response's body to a channel.
private struct PartWriter: ResponseBodyWriter {
  let channel: any Channel
  let isStream: Bool

  func write(_ buffer: ByteBuffer) async throws {
    if isStream {
      try await channel.writeAndFlush(HTTPResponsePart.body(buffer))
    } else {
      channel.write(HTTPResponsePart.body(buffer), promise: nil)
    }
  }

  func finish(_ trailers: HTTPFields?) async throws {
    try await channel.writeAndFlush(HTTPResponsePart.end(trailers))
  }
}
