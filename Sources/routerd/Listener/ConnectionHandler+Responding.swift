import Logging
import NIOCore
import NIOHTTP1
import Router

extension ConnectionHandler {
  func respond(_ result: Result<Response, any Error>, to number: Int, written: Written? = nil) {
    guard let pending, pending.number == number, !pending.isStream else { return drop(written) }
    let response: Response
    switch result {
    case .success(let value): response = value
    case .failure(let error): response = self.response(to: error)
    }
    let isLast = pending.isLast || isQuiescing || response.headers.contains(name: "connection")
    response.encode(into: &output, adding: headers, isLast: isLast, hasBody: pending.method != .HEAD)
    end(isLast: isLast, written)
  }

  private func response(to error: any Error) -> Response {
    switch error {
    case let error as RouterError: return Response(error)
    case let error as JSONError: return Response(RouterError(error))
    case is CancellationError: return Response(.serviceUnavailable, problem: "the request was canceled")
    default:
      logger.error("a handler failed", metadata: ["error": "\(error)"])
      return Response(.internalServerError, problem: "cannot respond: internal error; see the daemon's log output")
    }
  }

  func onDisconnect(_ number: Int, _ body: @escaping @Sendable () -> Void) {
    if pending?.number == number { pending!.onDisconnect = body } else { body() }
  }

  func openStream(_ number: Int) {
    guard let pending, pending.number == number, !pending.isStream else { return }
    self.pending!.isStream = true
    let head = Response(.ok, ["Content-Type": ServerSentEvent.contentType, "Cache-Control": "no-store"])
    head.encodeStreamHead(
      into: &output, adding: headers, isLast: pending.isLast, isChunked: pending.isHTTP11)
    write(Array(": \n\n".utf8), isChunked: pending.isHTTP11)
    keepStreamAlive(number)
    endTurnSoon()
  }

  func send(_ bytes: [UInt8], _ number: Int, written: Written? = nil) {
    openStream(number)
    guard let pending, pending.number == number, !isClosing else { return drop(written) }
    // A single event may exceed the limit.
    guard !isUnsent(moreThan: limits.unreadBytes - output.readableBytes) else {
      drop(written)
      output.clear()
      return close()
    }
    write(bytes, isChunked: pending.isHTTP11)
    if let written { self.written.append(written) }
    endTurnSoon()
  }

  func closeStream(_ number: Int) {
    guard let pending, pending.number == number else { return }
    openStream(number)
    if pending.isHTTP11 { output.writeString("0\r\n\r\n") }
    keepAlive?.cancel()
    end(isLast: pending.isLast || !pending.isHTTP11 || isQuiescing, nil)
  }

  func disconnect(_ number: Int) {
    if pending?.number == number { close() }
  }

  private func keepStreamAlive(_ number: Int) {
    keepAlive = context?.eventLoop.assumeIsolated().scheduleTask(in: Self.keepAliveInterval) { [weak self] in
      guard let self, pending?.number == number else { return }
      if countUnsentBytes() == 0 { send(ServerSentEvent.keepAlive, number) }
      keepStreamAlive(number)
    }
  }

  /// Appends a part of a stream, chunked if requested (RFC 9112, section 7.1).
  private func write(_ bytes: [UInt8], isChunked: Bool) {
    if isChunked { output.writeString(String(bytes.count, radix: 16) + "\r\n") }
    output.writeBytes(bytes)
    if isChunked { output.writeString("\r\n") }
  }

  private func end(isLast: Bool, _ written: Written?) {
    pending = nil
    if let written { self.written.append(written) }
    if isLast { return close() }
    expectRequest()
    endTurnSoon()
  }

  /// Closes the connection after flushing the output.
  func close() {
    isClosing = true
    endTurnSoon()
  }

  func drop(_ written: Written?) { written?(.failure(ChannelError.ioOnClosedChannel)) }

  func failWritten() {
    let callbacks = written
    written = []
    for callback in callbacks { drop(callback) }
  }
}
