import Hummingbird
import Logging
import Router

/// How a request ends: what its response waits for, and what is done once that has been written.
final class RequestEnding: Sendable {
  private struct State {
    var handle: PresentationHandle?
    var respond: (@Sendable (RequestEnding) throws -> Response)?
    var written: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Has the response made when a presentation has ended, in place of what the handler returns, by another task than the handler's:
  /// one that waits for a person keeps what it and all its callers have used of their memory.
  ///
  /// - Parameter respond: It is kept here, and given this, which it must not keep.
  func wait(
    for handle: PresentationHandle, _ respond: @escaping @Sendable (RequestEnding) throws -> Response
  ) -> Response {
    state.withLock { state in
      state.handle = handle
      state.respond = respond
    }
    return Response(status: .ok)
  }

  /// What the response waits for, if it does.
  var handle: PresentationHandle? { state.withLock(\.handle) }

  /// The response, now that what it waited for has ended.
  func response(logger: Logger) -> Response {
    guard let respond = state.withLock(\.respond) else { preconditionFailure("this response waited for nothing") }
    do {
      return try respond(self)
    } catch {
      return Response(error, logger: logger)
    }
  }

  /// Has something done once the response has been written; not if that fails. Unlike the end of a body that is written piece by
  /// piece, it lets the response go out in one piece.
  func afterWriting(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.written = body }
  }

  /// The response was written.
  func written() { state.withLock(\.written)?() }
}
