import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Router

/// Has a connection's requests answered, one after the other. The end of the connection cancels what runs for it: *the connection is
/// the request.*
///
/// It is the last of a channel's handlers and lives on the channel's event loop. A request gets a task when its body is there, so
/// that a connection that asks nothing has none.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  /// Answers a request, or does what it can and says what is left to do when something will have happened.
  ///
  /// - Throws: What ends the connection.
  typealias Responder = @Sendable (Request) async throws -> FollowUp?
  /// The rest of a request's work. It is done by another task: one that waits keeps the memory of all that it has done before.
  typealias FollowUp = @Sendable () async throws -> Void

  private enum State {
    /// No request has begun, or its answer does not wait for the rest of it.
    case idle
    case reading(HTTPRequest, ByteBuffer)
  }

  private let maximumBody: Int
  private let respond: Responder
  private let work = ConnectionWork()
  private var state = State.idle

  /// - Parameter maximumBody: How many bytes a body may have; whoever reads one that has more gets `NIOTooManyBytesError`.
  init(maximumBody: Int, respond: @escaping Responder) {
    self.maximumBody = maximumBody
    self.respond = respond
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), _):
      if let length = head.headerFields[.contentLength].flatMap(Int.init), length > maximumBody {
        refuseBody(of: head, context)
      } else {
        state = .reading(head, ByteBuffer())
      }
    case (.body(let part), .reading(let head, var body)):
      // One of the two is to own the bytes, or they would be copied.
      state = .idle
      if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
      if body.readableBytes > maximumBody {
        refuseBody(of: head, context)
      } else {
        state = .reading(head, body)
      }
    case (.end, .reading(let head, let body)):
      state = .idle
      start(Request(head: head, body: RequestBody(buffer: body)), context)
    case (.body, .idle), (.end, .idle): break
    }
  }

  /// The answer does not wait for what it does not read.
  private func refuseBody(of head: HTTPRequest, _ context: ChannelHandlerContext) {
    start(Request(head: head, body: RequestBody(asyncSequence: TooManyBytes(maximum: maximumBody))), context)
  }

  private func start(_ request: Request, _ context: ChannelHandlerContext) {
    let exchange = Exchange(
      channel: context.channel, work: work, isLast: request.headers[.connection]?.lowercased() == "close")
    exchange.run { [respond] in try await respond(request) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    work.cancel()
    context.fireChannelInactive()
  }

  /// What cannot be read or written any more has ended, and so has what was to be answered.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

/// One request's way to its response.
private struct Exchange: Sendable {
  let channel: any Channel
  let work: ConnectionWork
  /// Whether the client wants the connection closed after the response.
  let isLast: Bool

  /// Does a part of the work, and then what it says is left.
  func run(_ part: @escaping @Sendable () async throws -> RequestHandler.FollowUp?) {
    work.add {
      Task(executorPreference: LoopExecutor(channel.eventLoop)) {
        do {
          if let rest = try await part() {
            run {
              try await rest()
              return nil
            }
          } else if isLast {
            channel.close(promise: nil)
          }
        } catch {
          channel.close(promise: nil)
        }
      }
    }
  }
}

/// The task that runs for a connection, if one does. It ends by itself, or with the connection.
private final class ConnectionWork: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isOver = false
  }

  private let state = Mutex(State())

  /// Takes the task in the place of the one before.
  func add(_ start: () -> Task<Void, Never>) {
    let task = start()
    let isOver = state.withLock { state in
      state.task = task
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  /// Cancels what runs, and what is added later.
  func cancel() {
    let task = state.withLock { state in
      state.isOver = true
      return state.task
    }
    task?.cancel()
  }
}

/// A body that has more bytes than it may have.
private struct TooManyBytes: AsyncSequence, Sendable {
  let maximum: Int

  struct AsyncIterator: AsyncIteratorProtocol {
    let maximum: Int

    func next() throws -> ByteBuffer? { throw NIOTooManyBytesError(maxBytes: maximum) }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(maximum: maximum) }
}
